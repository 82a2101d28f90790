/* SPDX-License-Identifier: Apache-2.0
 *
 * Open MPI's handles are addresses of its predefined objects, whose first word is Skein's handle (objects.c;
 * a copy relocation takes it along into the program), or handles that Skein has made, which are passed
 * unchanged: they are below 2^31, and addresses are not. */
#ifndef SKEIN_FOREIGN_OPENMPI_THEIR_H
#define SKEIN_FOREIGN_OPENMPI_THEIR_H

static inline Handle in(Handle handle) { return handle >> 31 ? *(const Handle*)handle : handle; }
static inline Handle out(Handle handle) {
  const Handle known = handle < SKEIN_HANDLES ? (Handle)skein_handles[handle] : 0;
  return known ? known : handle;
}

#define KIND(kind)                                                   \
  typedef Handle kind;                                               \
  static inline Handle in_##kind(kind handle) { return in(handle); } \
  static inline kind out_##kind(Handle handle) { return out(handle); }
EACH_KIND(KIND)
KIND(MPI_File)
KIND(MPI_Message)
#undef KIND
typedef Handle ListedHandle;

struct TheirStatus {
  int source, tag, error, cancelled;
  size_t bytes;
};
static inline int ignored(const struct TheirStatus* status) {
  return status == skein_status_ignore || status == skein_statuses_ignore;
}
/* Passes MPI_ERROR unchanged: it has a meaning only if several statuses are returned. */
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

static inline const int* in_weights(const int* weights) {
  return weights == skein_unweighted      ? (const int*)10
         : weights == skein_weights_empty ? (const int*)11
                                          : weights;
}
static inline void* in_variable_handle(void* handle) {
  return handle == skein_t_pvar_all_handles ? (void*)1 : handle;
}

#endif
