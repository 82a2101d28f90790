/* SPDX-License-Identifier: Apache-2.0
 *
 * What another MPI's program passes, as Skein takes it, and back. Handles of the other MPI are addresses of
 * its predefined objects, whose first word is Skein's handle (objects.c; a copy relocation takes it along
 * into the program), or handles that Skein has made, which are passed as they are: they are below 2^31, and
 * addresses are not. */
#ifndef SKEIN_FOREIGN_CONVERT_H
#define SKEIN_FOREIGN_CONVERT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "constants.h"

/* A tool defines MPI_X itself and calls PMPI_X. */
#define ALIAS(name) extern __typeof__(P##name) name __attribute__((weak, alias("P" #name)));

typedef uintptr_t Handle;

static inline Handle in(Handle handle) { return handle >> 31 ? *(const Handle*)handle : handle; }
static inline Handle out(Handle handle) {
  const Handle known = handle < SKEIN_HANDLES ? (Handle)skein_handles[handle] : 0;
  return known ? known : handle;
}

enum { SKEIN_FEW = 16, SKEIN_LONGEST_STRING = 8192 };

/* An array of handles as Skein takes it. */
struct Handles {
  Handle few[SKEIN_FEW];
  Handle* of;
  int count;
};
/* How long an array is read: a nonblocking call may do so until it is complete, so its array is never freed.
 */
enum Life { FOR_THE_CALL, KEPT };
/* `theirs` null: of null handles. Those of a negative count are none: the call says that it is wrong. */
void handles_in(struct Handles* here, const Handle* theirs, int count, enum Life life);
void give_handles_back(Handle* theirs, struct Handles* here);
void drop_handles(struct Handles* here);

/* Numbers that differ, in an array. */
struct Numbers {
  int few[SKEIN_FEW];
  int* of;
};
void numbers_in(struct Numbers* here, const int* theirs, int count, const struct Number* rows, int row_count);
void drop_numbers(struct Numbers* here);

struct TheirStatus {
  int source, tag, error, cancelled;
  size_t bytes;
};
/* As runtime/vmpi/p2p/status.hpp has it. */
struct Status {
  int source, tag, error;
  int bytes_low, bytes_high, cancelled;
  int unused[2];
};
static inline int ignored(const struct TheirStatus* status) {
  return status == skein_status_ignore || status == skein_statuses_ignore;
}
/* MPI_ERROR is passed as it is: it is nobody's but where several are returned. */
static inline struct Status status_in(const struct TheirStatus* theirs) {
  struct Status here = {0};
  if (ignored(theirs)) return here;
  here.source = in_rank(theirs->source);
  here.tag = in_tag(theirs->tag);
  here.error = theirs->error;
  here.bytes_low = (int)(theirs->bytes & 0xffffffff);
  here.bytes_high = (int)(theirs->bytes >> 32);
  here.cancelled = theirs->cancelled;
  return here;
}
static inline struct TheirStatus status_out(const struct Status* here) {
  const struct TheirStatus theirs = {
      out_rank(here->source), out_tag(here->tag), here->error, here->cancelled,
      (size_t)(unsigned)here->bytes_low | (size_t)(unsigned)here->bytes_high << 32};
  return theirs;
}

struct Statuses {
  struct Status few[SKEIN_FEW];
  struct Status* of; /* null: they are ignored */
  int count;
};
void statuses_in(struct Statuses* here, const struct TheirStatus* theirs, int count);
void give_statuses_back(struct TheirStatus* theirs, struct Statuses* here);

/* A string of Skein's into the room that the other MPI's programs have. `length`: null, or what is returned
 * of it. */
void shorten(char* theirs, const char* here, int room, int* length);

static inline int in_place(const void* buffer) { return buffer == skein_in_place; }
static inline void* in_buffer(const void* buffer) { return in_place(buffer) ? (void*)1 : (void*)buffer; }
static inline const int* in_weights(const int* weights) {
  return weights == skein_unweighted      ? (const int*)10
         : weights == skein_weights_empty ? (const int*)11
                                          : weights;
}
/* Of a view: MPI_DISPLACEMENT_CURRENT is a number that both have. */
static inline int64_t in_offset(int64_t offset) { return offset < 0 ? in_displacement((int)offset) : offset; }
/* How many types an Alltoallw has: one for each member, of the other group if there are two; a
 * neighbourhood's for each neighbour. */
int members_of(Handle comm);
int sources_of(Handle comm);
int destinations_of(Handle comm);

#endif
