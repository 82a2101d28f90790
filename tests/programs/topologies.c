// SPDX-License-Identifier: Apache-2.0
// Graph and distributed graph topologies (MPI 4.1, 8.5), made and asked while ranks move. Neighbours follow
// from the ranks in the world.
#include <string.h>

#include "check.h"

enum { most = 64 };

static int kind_of(MPI_Comm comm) {
  int kind = -1;
  MPI_Topo_test(comm, &kind);
  return kind;
}

static int up(int rank, int by) { return (rank + by) % rank_count; }

/// Returns the neighbours of rank r: r + 1, r - 1 and, if it is even, itself.
static int graph_neighbours(int rank, int nodes, int* neighbours) {
  int count = 0;
  neighbours[count++] = (rank + 1) % nodes;
  neighbours[count++] = (rank + nodes - 1) % nodes;
  if (rank % 2 == 0) neighbours[count++] = rank;
  return count;
}

/// Checks all answers about the graph of the first `nodes` ranks.
static void check_graph(MPI_Comm graph, int nodes, const int* index, const int* edges) {
  int have_nodes = -1, have_edges = -1, size = -1;
  CHECK(kind_of(graph) == MPI_GRAPH);
  MPI_Comm_size(graph, &size);
  MPI_Graphdims_get(graph, &have_nodes, &have_edges);
  CHECK(size == nodes && have_nodes == nodes && have_edges == index[nodes - 1]);
  int* const indices = malloc(sizeof(int) * (size_t)(nodes + 1));
  int* const ends = malloc(sizeof(int) * (size_t)(have_edges + 1));
  ends[have_edges] = -5;
  MPI_Graph_get(graph, nodes, have_edges, indices, ends);
  CHECK(memcmp(indices, index, sizeof(int) * (size_t)nodes) == 0);
  CHECK(memcmp(ends, edges, sizeof(int) * (size_t)have_edges) == 0 && ends[have_edges] == -5);
  ends[1] = -6;
  MPI_Graph_get(graph, 0, 1, indices, ends);  // no more than there is room for
  CHECK(ends[0] == edges[0] && ends[1] == -6);
  for (int rank = 0; rank < nodes; ++rank) {
    int wanted[3], have[4] = {-7, -7, -7, -7}, count = -1;
    const int wanted_count = graph_neighbours(rank, nodes, wanted);
    MPI_Graph_neighbors_count(graph, rank, &count);
    MPI_Graph_neighbors(graph, rank, 4, have);
    CHECK(count == wanted_count && have[count] == -7);
    for (int i = 0; i < count; ++i) CHECK(have[i] == wanted[i]);
  }
  free(indices);
  free(ends);
}

/// Makes graphs of all ranks, and of all but one.
static void graphs(void) {
  for (int nodes = rank_count; nodes >= 1 && nodes >= rank_count - 1; --nodes) {
    int* const index = malloc(sizeof(int) * (size_t)nodes);
    int* const edges = malloc(sizeof(int) * (size_t)(3 * nodes));
    int count = 0, place = -1;
    for (int rank = 0; rank < nodes; ++rank) {
      count += graph_neighbours(rank, nodes, edges + count);
      index[rank] = count;
    }
    MPI_Comm graph, copy, part;
    MPI_Graph_map(MPI_COMM_WORLD, nodes, index, edges, &place);
    CHECK(my_rank < nodes ? place >= 0 && place < nodes : place == MPI_UNDEFINED);
    MPI_Graph_create(MPI_COMM_WORLD, nodes, index, edges, 1, &graph);
    CHECK((graph != MPI_COMM_NULL) == (my_rank < nodes));
    maybe_move();
    if (graph != MPI_COMM_NULL) {
      check_graph(graph, nodes, index, edges);
      MPI_Comm_dup(graph, &copy);
      MPI_Comm_split(graph, 0, 0, &part);
      check_graph(copy, nodes, index, edges);
      CHECK(kind_of(part) == MPI_UNDEFINED);
      MPI_Comm_free(&part);
      MPI_Comm_free(&copy);
      MPI_Comm_free(&graph);
    }
    free(index);
    free(edges);
  }
  MPI_Comm none = MPI_COMM_WORLD;
  MPI_Graph_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &none);
  CHECK(none == MPI_COMM_NULL);
}

/// Checks a graph in which rank r leads to r + 1, twice, and to r + 2. A weight is 100 times the edge's first
/// rank, and a number.
static void check_distributed(MPI_Comm graph, int with_weights) {
  int in = -1, out = -1, weighted = -1;
  CHECK(kind_of(graph) == MPI_DIST_GRAPH);
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  CHECK(in == 3 && out == 3 && weighted == with_weights);
  int from[4], to[4], from_weights[4], to_weights[4];
  for (int i = 0; i < 4; ++i) from[i] = to[i] = from_weights[i] = to_weights[i] = -9;
  MPI_Dist_graph_neighbors(graph, 4, from, with_weights ? from_weights : MPI_UNWEIGHTED, 4, to,
                           with_weights ? to_weights : MPI_UNWEIGHTED);
  CHECK(from[3] == -9 && to[3] == -9 && from_weights[3] == -9);
  // In any order, but parallel edges have the same order at both ends: the weights go up.
  int sums[2] = {0, 0}, weights[2] = {0, 0};
  for (int i = 0; i < 3; ++i) {
    sums[0] += from[i];
    sums[1] += to[i];
    weights[0] += from_weights[i];
    weights[1] += to_weights[i];
  }
  const int below = up(my_rank, rank_count - 1), far_below = up(my_rank, 2 * rank_count - 2);
  CHECK(sums[0] == 2 * below + far_below && sums[1] == 2 * up(my_rank, 1) + up(my_rank, 2));
  if (!with_weights) return;
  CHECK(weights[0] == 100 * (2 * below + far_below) + 1 + 2 + 3 && weights[1] == 100 * 3 * my_rank + 6);
}

/// Makes graphs by the ranks where edges begin, by their ends, by one rank for all, and by both sides.
static void distributed_graphs(void) {
  for (int with_weights = 0; with_weights < 2; ++with_weights) {
    const int below = up(my_rank, rank_count - 1), far_below = up(my_rank, 2 * rank_count - 2);
    const int destinations[] = {up(my_rank, 1), up(my_rank, 1), up(my_rank, 2)};
    const int weights[] = {100 * my_rank + 1, 100 * my_rank + 2, 100 * my_rank + 3};
    const int sources[] = {below, below, far_below};
    const int source_weights[] = {100 * below + 1, 100 * below + 2, 100 * far_below + 3};
    const int degree = 3, ones[] = {1, 1, 1}, selves[] = {my_rank, my_rank, my_rank};
    MPI_Comm graph, copy;

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, sources, with_weights ? source_weights : MPI_UNWEIGHTED,
                                   3, destinations, with_weights ? weights : MPI_UNWEIGHTED, MPI_INFO_NULL, 1,
                                   &graph);
    maybe_move();
    check_distributed(graph, with_weights);
    int from[3], from_weights[3], to[3], to_weights[3];  // exactly as they were given
    MPI_Dist_graph_neighbors(graph, 3, from, from_weights, 3, to, to_weights);
    CHECK(memcmp(from, sources, sizeof from) == 0 && memcmp(to, destinations, sizeof to) == 0);
    if (with_weights)
      CHECK(memcmp(from_weights, source_weights, sizeof from_weights) == 0 &&
            memcmp(to_weights, weights, sizeof to_weights) == 0);
    MPI_Comm_dup(graph, &copy);
    MPI_Comm_free(&graph);
    maybe_move();
    check_distributed(copy, with_weights);
    MPI_Comm_free(&copy);

    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &my_rank, &degree, destinations,
                          with_weights ? weights : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    maybe_move();
    check_distributed(graph, with_weights);
    MPI_Comm_free(&graph);

    MPI_Dist_graph_create(MPI_COMM_WORLD, 3, sources, ones, selves,
                          with_weights ? source_weights : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    check_distributed(graph, with_weights);
    MPI_Comm_free(&graph);

    int n = 0;
    int* const all = malloc(sizeof(int) * (size_t)(5 * 3 * rank_count));
    int* const degrees = all + 3 * rank_count;
    int* const ends = all + 6 * rank_count;
    int* const all_weights = all + 9 * rank_count;
    for (int rank = 0; my_rank == rank_count - 1 && rank < rank_count; ++rank)
      for (int i = 0; i < 3; ++i, ++n) {
        all[n] = rank;
        degrees[n] = 1;
        ends[n] = up(rank, i < 2 ? 1 : 2);
        all_weights[n] = 100 * rank + i + 1;
      }
    MPI_Dist_graph_create(MPI_COMM_WORLD, n, all, degrees, ends,
                          !with_weights ? MPI_UNWEIGHTED
                          : n > 0       ? all_weights
                                        : MPI_WEIGHTS_EMPTY,
                          MPI_INFO_NULL, 0, &graph);
    check_distributed(graph, with_weights);
    MPI_Comm_free(&graph);
    free(all);
  }
}

/// Checks graphs in which no rank has neighbours, and in which only rank 0 has none.
static void without_neighbours(void) {
  MPI_Comm graph;
  int in = -1, out = -1, weighted = -1;
  MPI_Dist_graph_create(MPI_COMM_WORLD, 0, NULL, NULL, NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &graph);
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  CHECK(in == 0 && out == 0 && weighted == 1);
  MPI_Comm_free(&graph);
  const int some = my_rank > 0;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, some, &my_rank, some ? &my_rank : MPI_WEIGHTS_EMPTY, some,
                                 &my_rank, some ? &my_rank : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &graph);
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  CHECK(in == some && out == some && weighted == 1);
  MPI_Comm_free(&graph);
}

#define FAILS(call, wanted) CHECK(class_of(call) == (wanted))

static void wrong_arguments(void) {
  MPI_Comm world, graph = MPI_COMM_NULL;
  int a = 0, b = 0, c = 0;
  int list[most] = {0};
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  const int n = rank_count, decreasing[] = {1, 0}, outside[] = {rank_count}, below[] = {-1};
  FAILS(MPI_Graph_create(world, n + 1, list, list, 0, &graph), MPI_ERR_ARG);
  FAILS(MPI_Graph_create(world, -1, list, list, 0, &graph), MPI_ERR_ARG);
  FAILS(MPI_Graph_create(world, 1, below, list, 0, &graph), MPI_ERR_ARG);
  FAILS(MPI_Graph_create(world, 1, (int[]){1}, outside, 0, &graph), MPI_ERR_ARG);
  FAILS(MPI_Graph_create(world, 1, (int[]){1}, NULL, 0, &graph), MPI_ERR_ARG);
  FAILS(MPI_Graph_create(world, 1, NULL, NULL, 0, &graph), MPI_ERR_ARG);
  FAILS(MPI_Graph_map(world, n + 1, list, list, &a), MPI_ERR_ARG);
  if (n > 1) FAILS(MPI_Graph_create(world, 2, decreasing, list, 0, &graph), MPI_ERR_ARG);
  FAILS(MPI_Graphdims_get(world, &a, &b), MPI_ERR_TOPOLOGY);
  FAILS(MPI_Graph_get(world, 1, 1, list, list), MPI_ERR_TOPOLOGY);
  FAILS(MPI_Graph_neighbors(world, 0, 1, list), MPI_ERR_TOPOLOGY);
  FAILS(MPI_Graph_neighbors_count(world, 0, &a), MPI_ERR_TOPOLOGY);
  FAILS(MPI_Dist_graph_neighbors(world, 1, list, list, 1, list, list), MPI_ERR_TOPOLOGY);
  FAILS(MPI_Dist_graph_neighbors_count(world, &a, &b, &c), MPI_ERR_TOPOLOGY);
  const int one = 1, zero = 0;
  FAILS(MPI_Dist_graph_create(world, -1, list, list, list, list, MPI_INFO_NULL, 0, &graph), MPI_ERR_ARG);
  FAILS(MPI_Dist_graph_create(world, 1, outside, &one, list, list, MPI_INFO_NULL, 0, &graph), MPI_ERR_RANK);
  FAILS(MPI_Dist_graph_create(world, 1, &zero, &one, outside, list, MPI_INFO_NULL, 0, &graph), MPI_ERR_RANK);
  FAILS(MPI_Dist_graph_create(world, 1, &zero, below, list, list, MPI_INFO_NULL, 0, &graph), MPI_ERR_ARG);
  FAILS(MPI_Dist_graph_create(world, 1, &zero, &one, list, below, MPI_INFO_NULL, 0, &graph), MPI_ERR_ARG);
  FAILS(MPI_Dist_graph_create_adjacent(world, -1, list, list, 0, list, list, MPI_INFO_NULL, 0, &graph),
        MPI_ERR_ARG);
  FAILS(MPI_Dist_graph_create_adjacent(world, 1, outside, list, 0, list, list, MPI_INFO_NULL, 0, &graph),
        MPI_ERR_RANK);
  FAILS(MPI_Dist_graph_create_adjacent(world, 1, list, list, 1, below, list, MPI_INFO_NULL, 0, &graph),
        MPI_ERR_RANK);
  FAILS(
      MPI_Dist_graph_create_adjacent(world, 1, list, MPI_UNWEIGHTED, 1, list, list, MPI_INFO_NULL, 0, &graph),
      MPI_ERR_ARG);
  FAILS(MPI_Dist_graph_create_adjacent(world, 1, list, MPI_WEIGHTS_EMPTY, 0, list, MPI_WEIGHTS_EMPTY,
                                       MPI_INFO_NULL, 0, &graph),
        MPI_ERR_ARG);
  FAILS(MPI_Neighbor_alltoall(&a, 1, MPI_INT, &b, 1, MPI_INT, world), MPI_ERR_TOPOLOGY);

  MPI_Graph_create(world, 1, (int[]){1}, list, 0, &graph);
  if (graph != MPI_COMM_NULL) {
    FAILS(MPI_Cartdim_get(graph, &a), MPI_ERR_TOPOLOGY);
    FAILS(MPI_Graph_neighbors(graph, 1, 1, list), MPI_ERR_RANK);
    FAILS(MPI_Graph_neighbors_count(graph, -1, &a), MPI_ERR_RANK);
    FAILS(MPI_Dist_graph_neighbors_count(graph, &a, &b, &c), MPI_ERR_TOPOLOGY);
    FAILS(MPI_Neighbor_alltoall(MPI_IN_PLACE, 1, MPI_INT, &b, 1, MPI_INT, graph), MPI_ERR_BUFFER);
    FAILS(MPI_Neighbor_allgather(&a, -1, MPI_INT, &b, 1, MPI_INT, graph), MPI_ERR_COUNT);
    FAILS(MPI_Neighbor_alltoallv(&a, below, &zero, MPI_INT, &b, &one, &zero, MPI_INT, graph), MPI_ERR_COUNT);
    FAILS(MPI_Neighbor_alltoall(&a, 1, MPI_DATATYPE_NULL, &b, 1, MPI_INT, graph), MPI_ERR_TYPE);
    MPI_Comm_free(&graph);
  }
  if (n > 1) {
    MPI_Comm part, inter;
    MPI_Comm_split(world, my_rank > 0, 0, &part);
    MPI_Intercomm_create(part, 0, world, my_rank > 0 ? 0 : 1, 4, &inter);
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    FAILS(MPI_Graph_create(inter, 1, list, list, 0, &graph), MPI_ERR_COMM);
    FAILS(MPI_Dist_graph_create(inter, 0, list, list, list, list, MPI_INFO_NULL, 0, &graph), MPI_ERR_COMM);
    FAILS(MPI_Neighbor_alltoall(&a, 1, MPI_INT, &b, 1, MPI_INT, inter), MPI_ERR_TOPOLOGY);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&part);
  }
  MPI_Comm_free(&world);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  graphs();
  maybe_move();
  distributed_graphs();
  maybe_move();
  without_neighbours();
  wrong_arguments();
  finish("topologies");
  return 0;
}
