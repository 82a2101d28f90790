/* SPDX-License-Identifier: Apache-2.0
 *
 * What another MPI's program passes, as Skein takes it, and back. What is that MPI's alone, its handles and
 * its status, is in its `their.h`: types MPI_Comm and so on, and for each of them in_MPI_Comm() and
 * out_MPI_Comm(). */
#ifndef SKEIN_FOREIGN_CONVERT_H
#define SKEIN_FOREIGN_CONVERT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "constants.h"

/* A tool defines MPI_X itself and calls PMPI_X. */
#define ALIAS(name) extern __typeof__(P##name) name __attribute__((weak, alias("P" #name)));

/* Of Skein: a predefined one is below SKEIN_HANDLES, all are below 2^31. */
typedef uintptr_t Handle;

#define EACH_KIND(X) \
  X(MPI_Comm)        \
  X(MPI_Datatype)    \
  X(MPI_Errhandler) X(MPI_Group) X(MPI_Info) X(MPI_Op) X(MPI_Request) X(MPI_Win) X(MPI_Session)

/* As runtime/vmpi/p2p/status.hpp has it. */
struct Status {
  int source, tag, error;
  int bytes_low, bytes_high, cancelled;
  int unused[2];
};

#include "their.h"

enum { SKEIN_FEW = 16, SKEIN_LONGEST_STRING = 8192 };

/* An array of handles as Skein takes it, for the call: what is read later, Skein copies. */
struct Handles {
  Handle few[SKEIN_FEW];
  Handle* of;
  int count;
};
/* `theirs` null: of null handles. Those of a negative count are none: the call says that it is wrong. */
void handles_in(struct Handles* here, const ListedHandle* theirs, int count, Handle (*in)(ListedHandle));
void give_handles_back(ListedHandle* theirs, struct Handles* here, ListedHandle (*out)(Handle));
void drop_handles(struct Handles* here);

/* Numbers that differ, in an array. */
struct Numbers {
  int few[SKEIN_FEW];
  int* of;
};
void numbers_in(struct Numbers* here, const int* theirs, int count, const struct Number* rows, int row_count);
void drop_numbers(struct Numbers* here);

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
/* Of a view: MPI_DISPLACEMENT_CURRENT is a number that both have. */
static inline int64_t in_offset(int64_t offset) { return offset < 0 ? in_displacement((int)offset) : offset; }
/* What MPI_Type_get_contents says of an array's order and distributions. */
void contents_out(Handle type, int* integers);
/* How many types an Alltoallw has: one for each member, of the other group if there are two; a
 * neighbourhood's for each neighbour. */
int members_of(MPI_Comm comm);
int sources_of(MPI_Comm comm);
int destinations_of(MPI_Comm comm);

#endif
