/* SPDX-License-Identifier: Apache-2.0
 *
 * MPICH's handles are ints whose upper two bits say where an object is. Skein's are passed with both bits
 * set, like MPICH's of objects beyond its first ones, which no predefined handle has; predefined ones are
 * looked up in a perfect hash that the generator made. To the program files are pointers, of which only null
 * is predefined. */
#ifndef SKEIN_FOREIGN_MPICH_THEIR_H
#define SKEIN_FOREIGN_MPICH_THEIR_H

static const unsigned kOurs = 3u << 30;

/* Returns 0, which is no handle of Skein's, for an unknown handle. */
static inline Handle in(int handle, unsigned kind) {
  const unsigned value = (unsigned)handle, key = value + kind * SKEIN_KIND_STEP;
  if (value >= kOurs) return value & ~kOurs;
  const struct Known* known = &skein_known[key * SKEIN_MULTIPLIER >> SKEIN_SHIFT];
  return known->key == key ? known->ours : value < SKEIN_HANDLES ? value : 0;
}
/* Passes a predefined handle that MPICH lacks unchanged. */
static inline int out(Handle handle) {
  if (handle >= SKEIN_HANDLES) return (int)((unsigned)handle | kOurs);
  const int known = (int)(intptr_t)skein_handles[handle];
  return known ? known : (int)handle;
}

#define KIND(kind)                                                                 \
  typedef int kind;                                                                \
  static inline Handle in_##kind(kind handle) { return in(handle, SKEIN_##kind); } \
  static inline kind out_##kind(Handle handle) { return out(handle); }
EACH_KIND(KIND)
KIND(MPI_Message)
#undef KIND
typedef int ListedHandle;
typedef Handle MPI_File;
static inline Handle in_MPI_File(MPI_File file) { return file ? file : OUR_MPI_FILE_NULL; }
static inline MPI_File out_MPI_File(Handle file) { return file == OUR_MPI_FILE_NULL ? 0 : file; }

struct TheirStatus {
  int bytes_low, bytes_high_and_cancelled;
  int source, tag, error;
};
static inline int ignored(const struct TheirStatus* status) { return status == skein_status_ignore; }
/* Passes MPI_ERROR unchanged: it has a meaning only if several statuses are returned. */
static inline struct Status status_in(const struct TheirStatus* theirs) {
  struct Status here = {0};
  if (ignored(theirs)) return here;
  here.source = in_rank(theirs->source);
  here.tag = in_tag(theirs->tag);
  here.error = theirs->error;
  here.bytes_low = theirs->bytes_low;
  here.bytes_high = theirs->bytes_high_and_cancelled >> 1;
  here.cancelled = theirs->bytes_high_and_cancelled & 1;
  return here;
}
static inline struct TheirStatus status_out(const struct Status* here) {
  const struct TheirStatus theirs = {here->bytes_low, here->bytes_high << 1 | (here->cancelled != 0),
                                     out_rank(here->source), out_tag(here->tag), here->error};
  return theirs;
}

/* MPI_UNWEIGHTED and its like are variables of the stand-in (objects.c), and have Skein's values. */
static inline const int* in_weights(const int* weights) { return weights; }
static inline void* in_variable_handle(void* handle) { return handle; }

#endif
