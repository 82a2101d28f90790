/* SPDX-License-Identifier: Apache-2.0 */
#include "convert.h"

void handles_in(struct Handles* here, const Handle* theirs, int count, enum Life life) {
  here->count = count < 0 ? 0 : count;
  here->of = here->few;
  if (life == KEPT || here->count > SKEIN_FEW) here->of = malloc(((size_t)here->count + 1) * sizeof(Handle));
  for (int i = 0; i < here->count; ++i) here->of[i] = theirs ? in(theirs[i]) : 0;
}
void give_handles_back(Handle* theirs, struct Handles* here) {
  for (int i = 0; i < here->count; ++i)
    if (here->of[i]) theirs[i] = out(here->of[i]);
  drop_handles(here);
}
void drop_handles(struct Handles* here) {
  if (here->of != here->few) free(here->of);
}

void numbers_in(struct Numbers* here, const int* theirs, int count, const struct Number* rows,
                int row_count) {
  here->of = count > SKEIN_FEW ? malloc((size_t)count * sizeof(int)) : here->few;
  for (int i = 0; i < count; ++i) here->of[i] = number_in(theirs[i], rows, row_count);
}
void drop_numbers(struct Numbers* here) {
  if (here->of != here->few) free(here->of);
}

/* MPI_ERROR of several is set only where one has failed. No code is negative. */
enum { kUntouched = -1 };

void statuses_in(struct Statuses* here, const struct TheirStatus* theirs, int count) {
  here->count = ignored(theirs) || count < 0 ? 0 : count;
  here->of = ignored(theirs) ? NULL : here->few;
  if (here->count > SKEIN_FEW) here->of = malloc((size_t)here->count * sizeof(struct Status));
  for (int i = 0; i < here->count; ++i) {
    here->of[i] = status_in(&theirs[i]);
    here->of[i].error = kUntouched;
  }
}
void give_statuses_back(struct TheirStatus* theirs, struct Statuses* here) {
  for (int i = 0; i < here->count; ++i) {
    const int error = here->of[i].error == kUntouched ? theirs[i].error : out_error(here->of[i].error);
    theirs[i] = status_out(&here->of[i]);
    theirs[i].error = error;
  }
  if (here->of && here->of != here->few) free(here->of);
}

void shorten(char* theirs, const char* here, int room, int* length) {
  const size_t whole = strlen(here), kept = whole < (size_t)room ? whole : (size_t)room - 1;
  memcpy(theirs, here, kept);
  theirs[kept] = '\0';
  if (length) *length = (int)kept;
}

extern int skein_here_MPI_Comm_test_inter(), skein_here_MPI_Comm_size(), skein_here_MPI_Comm_remote_size(),
    skein_here_MPI_Topo_test(), skein_here_MPI_Cartdim_get(), skein_here_MPI_Comm_rank(),
    skein_here_MPI_Graph_neighbors_count(), skein_here_MPI_Dist_graph_neighbors_count();

int members_of(Handle comm) {
  int inter = 0, count = 0;
  skein_here_MPI_Comm_test_inter(in(comm), &inter);
  (inter ? skein_here_MPI_Comm_remote_size : skein_here_MPI_Comm_size)(in(comm), &count);
  return count;
}

static void count_neighbours(Handle comm, int* sources, int* destinations) {
  enum { CART = 211, GRAPH = 212, DIST_GRAPH = 213 };
  int kind = 0, dimensions = 0, rank = 0, weighted = 0;
  *sources = *destinations = 0;
  skein_here_MPI_Topo_test(in(comm), &kind);
  if (kind == CART) {
    skein_here_MPI_Cartdim_get(in(comm), &dimensions);
    *sources = *destinations = 2 * dimensions;
  } else if (kind == GRAPH) {
    skein_here_MPI_Comm_rank(in(comm), &rank);
    skein_here_MPI_Graph_neighbors_count(in(comm), rank, sources);
    *destinations = *sources;
  } else if (kind == DIST_GRAPH) {
    skein_here_MPI_Dist_graph_neighbors_count(in(comm), sources, destinations, &weighted);
  }
}
int sources_of(Handle comm) {
  int sources, destinations;
  count_neighbours(comm, &sources, &destinations);
  return sources;
}
int destinations_of(Handle comm) {
  int sources, destinations;
  count_neighbours(comm, &sources, &destinations);
  return destinations;
}
