/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts arguments of another MPI's program into Skein's, and back. That MPI's handles and status are in
 * its `their.h`: types MPI_Comm and so on, and for each of them in_MPI_Comm() and out_MPI_Comm(). */
#ifndef SKEIN_FOREIGN_CONVERT_H
#define SKEIN_FOREIGN_CONVERT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "constants.h"

/* A tool defines MPI_X itself and calls PMPI_X. */
#define ALIAS(name) extern __typeof__(P##name) name __attribute__((weak, alias("P" #name)));

/* A handle of Skein: predefined ones are below SKEIN_HANDLES, all are below 2^31. */
typedef uintptr_t Handle;

#define EACH_KIND(X) \
  X(MPI_Comm)        \
  X(MPI_Datatype)    \
  X(MPI_Errhandler) X(MPI_Group) X(MPI_Info) X(MPI_Op) X(MPI_Request) X(MPI_Win) X(MPI_Session)

/* The status of runtime/vmpi/p2p/status.hpp. */
struct Status {
  int source, tag, error;
  int bytes_low, bytes_high, cancelled;
  int unused[2];
};

#include "their.h"

enum { SKEIN_FEW = 16, SKEIN_LONGEST_STRING = 8192 };

/* An array of handles as Skein takes it, valid during the call: Skein copies what it reads later. */
struct Handles {
  Handle few[SKEIN_FEW];
  Handle* of;
  int count;
};
/* Converts an array of handles. `theirs` null: an array of null handles. A negative count makes an empty
 * array: the call reports it. */
void handles_in(struct Handles* here, const ListedHandle* theirs, int count, Handle (*in)(ListedHandle));
void give_handles_back(ListedHandle* theirs, struct Handles* here, ListedHandle (*out)(Handle));
void drop_handles(struct Handles* here);

/* An array of numbers whose values differ. */
struct Numbers {
  int few[SKEIN_FEW];
  int* of;
};
void numbers_in(struct Numbers* here, const int* theirs, int count, const struct Number* rows, int row_count);
void drop_numbers(struct Numbers* here);

struct Statuses {
  struct Status few[SKEIN_FEW];
  struct Status* of; /* null: statuses are ignored */
  int count;
};
void statuses_in(struct Statuses* here, const struct TheirStatus* theirs, int count);
void give_statuses_back(struct TheirStatus* theirs, struct Statuses* here);

/* Cuts a string of Skein to the room that the other MPI's programs have. `length`, if not null, gets the new
 * length. */
void shorten(char* theirs, const char* here, int room, int* length);

static inline int in_place(const void* buffer) { return buffer == skein_in_place; }
static inline void* in_buffer(const void* buffer) { return in_place(buffer) ? (void*)1 : (void*)buffer; }
/* Converts the offset of a view: both have a number MPI_DISPLACEMENT_CURRENT. */
static inline int64_t in_offset(int64_t offset) { return offset < 0 ? in_displacement((int)offset) : offset; }
/* Converts an array's order and distributions, as MPI_Type_get_contents returns them. */
void contents_out(Handle type, int* integers);
/* Return how many types an Alltoallw has: one for each member, of the other group if there are two; in a
 * neighbourhood one for each neighbour. */
int members_of(MPI_Comm comm);
int sources_of(MPI_Comm comm);
int destinations_of(MPI_Comm comm);

#endif
