// SPDX-License-Identifier: Apache-2.0
// `packed_sends [ROUNDS]`: long messages of data in short blocks. They are received as they are sent, packed,
// or by another type; posted before the send and after it, and across a move; longer than the buffer; sent
// again by a persistent request; cancelled.
#include <string.h>

#include "check.h"

enum { elements = 9000, most = 3 * elements };

static MPI_Datatype every_third;  // ints, one of three
static MPI_Datatype rows;         // ints, eight of sixteen

static int element(int from, int round, int i) { return from * 100003 + round * 1009 + i; }
static int at_distance(int distance) { return ((my_rank + distance) % rank_count + rank_count) % rank_count; }

static void write_data(int* at, int round) {
  for (int i = 0; i < most; ++i) at[i] = -1;
  for (int i = 0; i < elements; ++i) at[3 * i] = element(my_rank, round, i);
}
static void check_thirds(const int* at, int from, int round, int count) {
  for (int i = 0; i < elements; ++i) {
    CHECK(at[3 * i] == (i < count ? element(from, round, i) : -2));
    CHECK(at[3 * i + 1] == -2 && at[3 * i + 2] == -2);
  }
}
static void clear(int* at) {
  for (int i = 0; i < most; ++i) at[i] = -2;
}

/// Exchanges data with every rank's neighbour: the receive is posted first, or the message comes first, or
/// ranks move between.
static void exchange(int round, int* out, int* in, int late) {
  const int to = at_distance(1), from = at_distance(-1);
  MPI_Request requests[2];
  write_data(out, round);
  clear(in);
  if (!late) MPI_Irecv(in, 1, every_third, from, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, 1, every_third, to, 1, MPI_COMM_WORLD, &requests[1]);
  if (late) maybe_move();
  if (late) MPI_Irecv(in, 1, every_third, from, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  check_thirds(in, from, round, elements);
}

static void as_other_types(int round, int* out, int* in) {
  const int to = at_distance(1 + round), from = at_distance(-1 - round);
  MPI_Request request;
  write_data(out, round);
  clear(in);
  MPI_Issend(out, 1, every_third, to, 2, MPI_COMM_WORLD, &request);
  MPI_Recv(in, elements, MPI_INT, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < elements; ++i) CHECK(in[i] == element(from, round, i));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  clear(in);
  MPI_Isend(out, 1, every_third, to, 3, MPI_COMM_WORLD, &request);
  MPI_Status status;
  MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
  MPI_Recv(in, elements / 8, rows, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < elements; ++i) CHECK(in[i / 8 * 16 + i % 8] == element(from, round, i));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void into_less_room(int round, int* out, int* in) {
  const int to = at_distance(1), from = at_distance(-1), room = elements / 2;
  MPI_Request request;
  write_data(out, round);
  clear(in);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Isend(out, 1, every_third, to, 4, MPI_COMM_WORLD, &request);
  MPI_Datatype half;
  MPI_Type_vector(room, 1, 3, MPI_INT, &half);
  MPI_Type_commit(&half);
  CHECK(class_of(MPI_Recv(in, 1, half, from, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE)) == MPI_ERR_TRUNCATE);
  MPI_Type_free(&half);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  check_thirds(in, from, round, room);
}

static void again_and_again(int round, int* out, int* in) {
  const int to = at_distance(2), from = at_distance(-2);
  MPI_Request requests[2];
  MPI_Send_init(out, 1, every_third, to, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(in, 1, every_third, from, 5, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 3; ++i) {
    write_data(out, round + i);
    clear(in);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    check_thirds(in, from, round + i, elements);
    if (i == 1) maybe_move();
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

static void cancelled(int* out) {
  MPI_Request request;
  MPI_Status status;
  int gone;
  write_data(out, 0);
  MPI_Isend(out, 1, every_third, at_distance(1), 6, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &gone);
  CHECK(gone);
  MPI_Barrier(MPI_COMM_WORLD);
  int there;
  MPI_Iprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  CHECK(!there);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 3);
  MPI_Type_vector(elements, 1, 3, MPI_INT, &every_third);
  MPI_Type_commit(&every_third);
  MPI_Datatype row;
  MPI_Type_contiguous(8, MPI_INT, &row);
  MPI_Type_create_resized(row, 0, 16 * sizeof(int), &rows);
  MPI_Type_free(&row);
  MPI_Type_commit(&rows);
  int* const out = malloc(most * sizeof(int));
  int* const in = malloc(most * sizeof(int));
  for (int round = 0; round < rounds; ++round) {
    exchange(round, out, in, 0);
    maybe_move();
    exchange(round, out, in, 1);
    as_other_types(round, out, in);
    into_less_room(round, out, in);
    maybe_move();
    again_and_again(round, out, in);
    cancelled(out);
  }
  free(out);
  free(in);
  MPI_Type_free(&rows);
  MPI_Type_free(&every_third);
  finish("packed sends");
  return 0;
}
