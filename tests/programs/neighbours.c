// SPDX-License-Identifier: Apache-2.0
// Neighbourhood collectives in all forms and on all topologies, while ranks move: a neighbour's data is a
// function of sender, receiver, the edge between them and the place. Compile with LARGE_COUNTS for the
// functions whose counts are MPI_Count.
#include <stdint.h>
#include <string.h>

#include "check.h"

enum { most = 8, longest = 3000 };
enum { blocking, nonblocking, persistent, forms };

// The neighbours of the present topology by edge, and the number of each edge at its other end.
static int sources, destinations;
static int source[most], destination[most];
static int edge_of_source[most];  // the index that the edge has among the source's destinations
static int me;

static int value(int from, int edge, int i) { return 1000003 * from + 1009 * edge + i; }

/// Runs a collective in a form; the ranks may move while it is under way. Persistent ones run twice.
#define IN_FORM(form, Name, name, ...)                                  \
  do {                                                                  \
    MPI_Request request;                                                \
    if ((form) == blocking) {                                           \
      MPI_Neighbor_##Name(__VA_ARGS__);                                 \
    } else if ((form) == nonblocking) {                                 \
      MPI_Ineighbor_##Name(__VA_ARGS__, &request);                      \
      maybe_move();                                                     \
      MPI_Wait(&request, MPI_STATUS_IGNORE);                            \
    } else {                                                            \
      MPI_Neighbor_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, &request); \
      for (int start = 0; start < 2; ++start) {                         \
        MPI_Start(&request);                                            \
        maybe_move();                                                   \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                          \
      }                                                                 \
      MPI_Request_free(&request);                                       \
    }                                                                   \
  } while (0)

static int out[most * longest], in[most * longest];

static void clear(void) {
  for (int i = 0; i < most * longest; ++i) in[i] = out[i] = -1;
}

static void allgather(MPI_Comm comm, int form, int length) {
  clear();
  for (int i = 0; i < length; ++i) out[i] = value(me, 0, i);
  IN_FORM(form, allgather, allgather, out, length, MPI_INT, in, length, MPI_INT, comm);
  for (int k = 0; k < sources; ++k)
    for (int i = 0; i < length; ++i)
      CHECK(in[k * length + i] == (source[k] == MPI_PROC_NULL ? -1 : value(source[k], 0, i)));

  // The pieces stand in reverse order, with a gap between them.
  clear();
  count_type counts[most];
  place_type places[most];
  for (int i = 0; i < length; ++i) out[i] = value(me, 0, i);
  for (int k = 0; k < sources; ++k) {
    counts[k] = (count_type)length;
    places[k] = (place_type)((sources - 1 - k) * (length + 1));
  }
  IN_FORM(form, allgatherv, allgatherv, out, length, MPI_INT, in, counts, places, MPI_INT, comm);
  for (int k = 0; k < sources; ++k) {
    for (int i = 0; i < length; ++i)
      CHECK(in[places[k] + i] == (source[k] == MPI_PROC_NULL ? -1 : value(source[k], 0, i)));
    CHECK(in[places[k] + length] == -1);
  }
}

static void alltoall(MPI_Comm comm, int form, int length) {
  clear();
  for (int k = 0; k < destinations; ++k)
    for (int i = 0; i < length; ++i) out[k * length + i] = value(me, k, i);
  IN_FORM(form, alltoall, alltoall, out, length, MPI_INT, in, length, MPI_INT, comm);
  for (int k = 0; k < sources; ++k)
    for (int i = 0; i < length; ++i)
      CHECK(in[k * length + i] == (source[k] == MPI_PROC_NULL ? -1 : value(source[k], edge_of_source[k], i)));
}

/// Returns the length of an edge's message, which both ends know.
static int length_of(int from, int edge, int length) { return (from + edge) % 3 * length / 2; }

enum { one_type, types, types_at_addresses };
static void counted(MPI_Comm comm, int form, int length, int typed) {
  clear();
  count_type out_counts[most], in_counts[most];
  place_type out_at[most], in_at[most];
  MPI_Aint out_bytes[most], in_bytes[most];
  MPI_Datatype out_types[most], in_types[most], pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);  // lengths are even
  MPI_Type_commit(&pair);
  for (int k = 0; k < destinations; ++k) {
    const int ints = length_of(me, k, length) / 2 * 2;
    for (int i = 0; i < ints; ++i) out[k * longest + i] = value(me, k, i);
    out_types[k] = k % 2 && typed ? pair : MPI_INT;
    out_counts[k] = (count_type)(k % 2 && typed ? ints / 2 : ints);
    out_at[k] = (place_type)(k * longest);
    out_bytes[k] = (MPI_Aint)sizeof(int) * k * longest;
  }
  for (int k = 0; k < sources; ++k) {
    const int ints = source[k] == MPI_PROC_NULL ? 4 : length_of(source[k], edge_of_source[k], length) / 2 * 2;
    in_types[k] = k % 2 && typed ? MPI_INT : pair;
    in_counts[k] = (count_type)(k % 2 || !typed ? ints : ints / 2);
    in_at[k] = (place_type)((sources - 1 - k) * longest);
    in_bytes[k] = (MPI_Aint)sizeof(int) * (sources - 1 - k) * longest;
  }
  if (typed == types_at_addresses) {
    for (int k = 0; k < destinations; ++k) out_bytes[k] += (MPI_Aint)(intptr_t)out;
    for (int k = 0; k < sources; ++k) in_bytes[k] += (MPI_Aint)(intptr_t)in;
    IN_FORM(form, alltoallw, alltoallw, MPI_BOTTOM, out_counts, out_bytes, out_types, MPI_BOTTOM, in_counts,
            in_bytes, in_types, comm);
  } else if (typed) {
    IN_FORM(form, alltoallw, alltoallw, out, out_counts, out_bytes, out_types, in, in_counts, in_bytes,
            in_types, comm);
  } else {
    IN_FORM(form, alltoallv, alltoallv, out, out_counts, out_at, MPI_INT, in, in_counts, in_at, MPI_INT,
            comm);
  }
  MPI_Type_free(&pair);
  for (int k = 0; k < sources; ++k) {
    const int* const piece = in + (sources - 1 - k) * longest;
    const int ints = source[k] == MPI_PROC_NULL ? 0 : length_of(source[k], edge_of_source[k], length) / 2 * 2;
    for (int i = 0; i < ints; ++i) CHECK(piece[i] == value(source[k], edge_of_source[k], i));
    CHECK(piece[ints] == -1);
  }
}

static void all_of(MPI_Comm comm) {
  static const int lengths[] = {0, 2, 100, longest - 2};
  static int round = 0;
  MPI_Comm_rank(comm, &me);
  for (int form = 0; form < forms; ++form) {
    const int length = lengths[round++ % 4];
    allgather(comm, form, length);
    alltoall(comm, form, length);
    counted(comm, form, lengths[3], one_type);
    counted(comm, form, lengths[form + 1], types);
    counted(comm, form, lengths[form + 1], types_at_addresses);
    maybe_move();
  }
}

/// Data that goes down arrives from above, and the other way round, even with one rank, or two.
static void grid(int ndims, int* dims, const int* periods) {
  MPI_Comm comm;
  MPI_Dims_create(rank_count, ndims, dims);
  MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, 1, &comm);
  sources = destinations = 2 * ndims;
  for (int d = 0; d < ndims; ++d) MPI_Cart_shift(comm, d, 1, &source[2 * d], &source[2 * d + 1]);
  for (int k = 0; k < sources; ++k) {
    destination[k] = source[k];
    edge_of_source[k] = k ^ 1;
  }
  all_of(comm);
  MPI_Comm_free(&comm);
}

/// A ring in which neighbours are joined twice, and each rank to itself.
static void graph(void) {
  int* const index = malloc(sizeof(int) * (size_t)rank_count);
  int* const edges = malloc(sizeof(int) * (size_t)(5 * rank_count));
  int* edge = edges;
  for (int rank = 0; rank < rank_count; ++rank) {
    const int next = (rank + 1) % rank_count, before = (rank + rank_count - 1) % rank_count;
    const int own[] = {next, before, rank, next, before};
    memcpy(edge, own, sizeof own);
    edge += 5;
    index[rank] = 5 * (rank + 1);
  }
  MPI_Comm comm;
  MPI_Graph_create(MPI_COMM_WORLD, rank_count, index, edges, 0, &comm);
  sources = destinations = 5;
  // The k-th entry for a rank is the k-th entry that this one has there.
  for (int k = 0; k < 5; ++k) {
    source[k] = edges[5 * my_rank + k];
    int which = 0;
    for (int i = 0; i < k; ++i) which += source[i] == source[k];
    const int* const theirs = edges + 5 * source[k];
    for (int i = 0; i < 5; ++i)
      if (theirs[i] == my_rank && which-- == 0) edge_of_source[k] = i;
  }
  all_of(comm);
  MPI_Comm_free(&comm);
  free(index);
  free(edges);
}

/// Rank r sends to r + 1, r + 3 and again r + 1; the last rank sends to none. Sources stand in another order.
static void distributed(void) {
  MPI_Comm comm;
  const int steps[] = {1, 3, 1}, order[] = {1, 0, 2};
  sources = 0;
  destinations = my_rank == rank_count - 1 ? 0 : 3;
  for (int k = 0; k < 3; ++k) destination[k] = (my_rank + steps[k]) % rank_count;
  for (int i = 0; i < 3; ++i) {
    const int edge = order[i];
    const int from = (my_rank + 3 * rank_count - steps[edge]) % rank_count;
    if (from == rank_count - 1) continue;
    source[sources] = from;
    edge_of_source[sources++] = edge;
  }
  // Where steps lead to the same rank, edges match in the order of the destinations.
  for (int a = 0; a < sources; ++a)
    for (int b = a + 1; b < sources; ++b)
      if (source[a] == source[b] && edge_of_source[a] > edge_of_source[b]) {
        const int edge = edge_of_source[a];
        edge_of_source[a] = edge_of_source[b];
        edge_of_source[b] = edge;
      }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sources, source, MPI_UNWEIGHTED, destinations, destination,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  all_of(comm);
  // Frees a communicator while its collective is under way.
  if (rank_count > 1) {
    int mine = my_rank, others[3] = {-1, -1, -1};
    MPI_Request request;
    MPI_Ineighbor_allgather(&mine, 1, MPI_INT, others, 1, MPI_INT, comm, &request);
    MPI_Comm_free(&comm);
    maybe_move();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int k = 0; k < sources; ++k) CHECK(others[k] == source[k]);
  } else {
    MPI_Comm_free(&comm);
  }
}

/// Has several collectives at once, with other messages between the same ranks: none gets another's data.
static void several(void) {
  MPI_Comm comm;
  const int dims[] = {rank_count}, periods[] = {1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &comm);
  const int below = (my_rank + rank_count - 1) % rank_count, above = (my_rank + 1) % rank_count;
  enum { count = 4 };
  int sent[count][2], got[count][2], token = -1;
  MPI_Request requests[count + 1];
  MPI_Irecv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[count]);
  for (int i = 0; i < count; ++i) {
    sent[i][0] = 100 * my_rank + 10 * i;
    sent[i][1] = sent[i][0] + 1;
    MPI_Ineighbor_alltoall(sent[i], 1, MPI_INT, got[i], 1, MPI_INT, comm, &requests[i]);
  }
  maybe_move();
  MPI_Send(&my_rank, 1, MPI_INT, above, 7, comm);
  MPI_Waitall(count + 1, requests, MPI_STATUSES_IGNORE);
  CHECK(token == below);
  for (int i = 0; i < count; ++i)
    CHECK(got[i][0] == 100 * below + 10 * i + 1 && got[i][1] == 100 * above + 10 * i);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  grid(1, (int[]){0}, (int[]){1});
  grid(2, (int[]){0, 0}, (int[]){0, 1});
  grid(3, (int[]){0, 1, 0}, (int[]){1, 1, 0});
  graph();
  distributed();
  several();
  finish("neighbours");
  return 0;
}
