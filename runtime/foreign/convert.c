/* SPDX-License-Identifier: Apache-2.0 */
#include "convert.h"

void handles_in(struct Handles* here, const ListedHandle* theirs, int count, Handle (*in)(ListedHandle)) {
  here->count = count < 0 ? 0 : count;
  here->of = here->count > SKEIN_FEW ? malloc((size_t)here->count * sizeof(Handle)) : here->few;
  for (int i = 0; i < here->count; ++i) here->of[i] = theirs ? in(theirs[i]) : 0;
}
void give_handles_back(ListedHandle* theirs, struct Handles* here, ListedHandle (*out)(Handle)) {
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

/* Marks an MPI_ERROR that was not set: of several statuses it is set only if one has failed. No error code is
 * negative. */
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

extern int skein_here_MPI_Type_get_envelope();

void contents_out(Handle type, int* integers) {
  int count = 0, addresses = 0, types = 0, combiner = 0;
  skein_here_MPI_Type_get_envelope(type, &count, &addresses, &types, &combiner);
  if (combiner == OUR_MPI_COMBINER_SUBARRAY) {
    integers[count - 1] = out_order(integers[count - 1]);
  } else if (combiner == OUR_MPI_COMBINER_DARRAY) {
    const int dimensions = integers[2], distributions = 3 + dimensions, arguments = 3 + 2 * dimensions;
    for (int i = 0; i < dimensions; ++i) {
      integers[distributions + i] = out_distribution(integers[distributions + i]);
      integers[arguments + i] = out_distribution_argument(integers[arguments + i]);
    }
    integers[count - 1] = out_order(integers[count - 1]);
  }
}

extern int skein_here_MPI_Comm_test_inter(), skein_here_MPI_Comm_size(), skein_here_MPI_Comm_remote_size(),
    skein_here_MPI_Topo_test(), skein_here_MPI_Cartdim_get(), skein_here_MPI_Comm_rank(),
    skein_here_MPI_Graph_neighbors_count(), skein_here_MPI_Dist_graph_neighbors_count();

int members_of(MPI_Comm comm) {
  int inter = 0, count = 0;
  skein_here_MPI_Comm_test_inter(in_MPI_Comm(comm), &inter);
  (inter ? skein_here_MPI_Comm_remote_size : skein_here_MPI_Comm_size)(in_MPI_Comm(comm), &count);
  return count;
}

static void count_neighbours(MPI_Comm comm, int* sources, int* destinations) {
  int kind = 0, dimensions = 0, rank = 0, weighted = 0;
  *sources = *destinations = 0;
  skein_here_MPI_Topo_test(in_MPI_Comm(comm), &kind);
  if (kind == OUR_MPI_CART) {
    skein_here_MPI_Cartdim_get(in_MPI_Comm(comm), &dimensions);
    *sources = *destinations = 2 * dimensions;
  } else if (kind == OUR_MPI_GRAPH) {
    skein_here_MPI_Comm_rank(in_MPI_Comm(comm), &rank);
    skein_here_MPI_Graph_neighbors_count(in_MPI_Comm(comm), rank, sources);
    *destinations = *sources;
  } else if (kind == OUR_MPI_DIST_GRAPH) {
    skein_here_MPI_Dist_graph_neighbors_count(in_MPI_Comm(comm), sources, destinations, &weighted);
  }
}
int sources_of(MPI_Comm comm) {
  int sources, destinations;
  count_neighbours(comm, &sources, &destinations);
  return sources;
}
int destinations_of(MPI_Comm comm) {
  int sources, destinations;
  count_neighbours(comm, &sources, &destinations);
  return destinations;
}
