/* SPDX-License-Identifier: Apache-2.0
 * Collectives among neighbours that move data from types of every kind of extent to others (layout_sides.h),
 * in all forms. The ranks one and two below have something for a rank, which has for those above. */
#include "layout_sides.h"

enum { neighbours = 2 };
static MPI_Comm graph;

static void one_case(const test_case* t) {
  const int n = t->size, below[neighbours] = {(t->rank + n - 1) % n, (t->rank + n - 2) % n};
  const int elements = neighbours * t->count;
  if (can_receive(t->to, elements)) {
    side mine = new_side(t->from, t->count, t->count, 1),
         all = new_side(t->to, elements, t->count, neighbours);
    fill(&mine.data, t->rank);
    IN_FORM(t->form, Neighbor_allgather, neighbor_allgather, mine.data.origin, t->count, mine.type,
            all.data.origin, t->count, all.type, graph);
    for (int p = 0; p < neighbours; ++p) expect(&all, p * t->count, mine.of, t->count, below[p], 0, t->count);
    check_side(t, &all, "neighbor_allgather");
    free_side(&mine);
    free_side(&all);

    side out = new_side(t->from, elements, t->count, neighbours),
         in = new_side(t->to, elements, t->count, neighbours);
    fill(&out.data, t->rank);
    IN_FORM(t->form, Neighbor_alltoall, neighbor_alltoall, out.data.origin, t->count, out.type,
            in.data.origin, t->count, in.type, graph);
    for (int p = 0; p < neighbours; ++p)
      expect(&in, p * t->count, out.of, elements, below[p], p * t->count, t->count);
    check_side(t, &in, "neighbor_alltoall");
    free_side(&out);
    free_side(&in);
  }
  int counts[neighbours], given[neighbours] = {t->count, t->count + 1};
  for (int p = 0; p < neighbours; ++p) counts[p] = count_of(t, below[p]);
  if (t->to == at_one_place) return;
  side mine = new_side(t->from, count_of(t, t->rank), 0, 0),
       all = new_counted_side(t->to, neighbours, counts);
  fill(&mine.data, t->rank);
  IN_FORM(t->form, Neighbor_allgatherv, neighbor_allgatherv, mine.data.origin, count_of(t, t->rank),
          mine.type, all.data.origin, all.counts, all.starts, all.type, graph);
  for (int p = 0; p < neighbours; ++p)
    expect(&all, (int)all.starts[p], layout_of(t->from, counts[p]), counts[p], below[p], 0, counts[p]);
  check_side(t, &all, "neighbor_allgatherv");
  free_side(&mine);
  free_side(&all);

  side out = new_counted_side(t->from, neighbours, given), in = new_counted_side(t->to, neighbours, given);
  fill(&out.data, t->rank);
  IN_FORM(t->form, Neighbor_alltoallv, neighbor_alltoallv, out.data.origin, out.counts, out.starts, out.type,
          in.data.origin, in.counts, in.starts, in.type, graph);
  for (int p = 0; p < neighbours; ++p)
    expect(&in, (int)in.starts[p], out.of, out.data.elements, below[p], (int)out.starts[p], given[p]);
  check_side(t, &in, "neighbor_alltoallv");
  free_side(&out);
  free_side(&in);

  typed_side sent = {.pieces_used = 0}, received = {.pieces_used = 0};
  for (int p = 0; p < neighbours; ++p) {
    add_piece(&sent, (t->from + p) % layout_kinds, given[p]);
    add_piece(&received, t->to, given[p]);
    fill(&sent.pieces[p].data, t->rank);
  }
  IN_FORM(t->form, Neighbor_alltoallw, neighbor_alltoallw, MPI_BOTTOM, sent.counts, sent.places, sent.types,
          MPI_BOTTOM, received.counts, received.places, received.types, graph);
  for (int p = 0; p < neighbours; ++p) {
    expect(&received.pieces[p], 0, sent.pieces[p].of, given[p], below[p], 0, given[p]);
    check_side(t, &received.pieces[p], "neighbor_alltoallw");
  }
  free_typed(&sent);
  free_typed(&received);
}

static MPI_Comm graph_of(MPI_Comm comm, int rank, int n) {
  const int below[neighbours] = {(rank + n - 1) % n, (rank + n - 2) % n};
  const int above[neighbours] = {(rank + 1) % n, (rank + 2) % n};
  MPI_Comm made;
  MPI_Dist_graph_create_adjacent(comm, neighbours, below, MPI_UNWEIGHTED, neighbours, above, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &made);
  return made;
}

static void test(MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  graph = graph_of(comm, rank, size);
  for_each_case(comm, one_case);
  MPI_Comm_free(&graph);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for_some_comms(test);
  return finish("layout_neighbours");
}
