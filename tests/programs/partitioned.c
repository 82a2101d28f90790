// SPDX-License-Identifier: Apache-2.0
// Partitioned communication (MPI 4.1, chapter 4) while ranks move. Each rank sends to the next a function of
// its number, the round and the place in the data; both sides divide the data differently.
#include <string.h>

#include "check.h"

enum { most_ints = 12 * 1000, most_partitions = 24 };
static int out[2 * most_ints], in[4 * most_ints];

static int next(void) { return (my_rank + 1) % rank_count; }
static int before(void) { return (my_rank + rank_count - 1) % rank_count; }
static int value(int from, int round, int i) { return from * 7919 + round * 101 + i; }

/// Marks all partitions: one by one from the last on, by ranges, or by a list of the odd ones, then of the
/// others.
static void mark(MPI_Request send, int partitions, int how) {
  if (how == 0)
    for (int p = partitions - 1; p >= 0; --p) CHECK(MPI_Pready(p, send) == MPI_SUCCESS);
  if (how == 1) {
    const int middle = partitions / 2;
    MPI_Pready_range(middle, partitions - 1, send);
    if (middle > 0) MPI_Pready_range(0, middle - 1, send);
  }
  if (how == 2) {
    int list[most_partitions] = {0}, count = 0;
    for (int p = 1; p < partitions; p += 2) list[count++] = p;
    MPI_Pready_list(count, list, send);
    count = 0;
    for (int p = 0; p < partitions; p += 2) list[count++] = p;
    MPI_Pready_list(count, list, send);
  }
}

/// Returns the place of the i-th int of the receiver's data. With gaps there are three ints and a gap of one.
static int place(int i, int with_gaps) { return with_gaps ? i / 3 * 4 + i % 3 : i; }

/// Waits for the partitions one after the other; each is whole when it has arrived.
static void watch(MPI_Request receive, int partitions, int ints, int round, int with_gaps) {
  for (int p = 0; p < partitions; ++p) {
    int flag = 0;
    while (!flag) CHECK(MPI_Parrived(receive, p, &flag) == MPI_SUCCESS);
    for (int i = p * (ints / partitions); i < (p + 1) * (ints / partitions); ++i)
      CHECK(in[place(i, with_gaps)] == value(before(), round, i));
  }
}

static void transfers(int sent_in, int received_in, int ints, int with_gaps) {
  MPI_Datatype three = MPI_INT, spaced = MPI_INT;
  if (with_gaps) {
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_create_resized(three, 0, 4 * sizeof(int), &spaced);
    MPI_Type_commit(&spaced);
    MPI_Type_free(&three);
  }
  MPI_Request both[2];
  MPI_Precv_init(in, received_in, ints / received_in / (with_gaps ? 3 : 1), spaced, before(), 5,
                 MPI_COMM_WORLD, MPI_INFO_NULL, &both[0]);
  MPI_Psend_init(out, sent_in, ints / sent_in, MPI_INT, next(), 5, MPI_COMM_WORLD, MPI_INFO_NULL, &both[1]);
  if (with_gaps) MPI_Type_free(&spaced);
  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < ints; ++i) out[i] = value(my_rank, round, i);
    memset(in, 0, sizeof in);
    MPI_Status statuses[2];
    int flag = -1;
    CHECK(MPI_Parrived(both[0], 0, &flag) == MPI_SUCCESS && flag == 1);  // not active
    if (round % 2)
      MPI_Startall(2, both);
    else
      MPI_Start(&both[1]), MPI_Start(&both[0]);
    if (round / 2 == 1) maybe_move();
    mark(both[1], sent_in, round % 3);
    if (round / 2 == 2) maybe_move();
    if (round % 2) watch(both[0], received_in, ints, round, with_gaps);
    MPI_Waitall(2, both, statuses);
    int count = -1;
    MPI_Get_count(&statuses[0], MPI_INT, &count);
    CHECK(count == ints && statuses[0].MPI_SOURCE == before() && statuses[0].MPI_TAG == 5);
    for (int i = 0; i < ints; ++i) CHECK(in[place(i, with_gaps)] == value(before(), round, i));
    for (int i = 0; with_gaps && i < ints / 3; ++i) CHECK(in[4 * i + 3] == 0);
  }
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);
  CHECK(both[0] == MPI_REQUEST_NULL && both[1] == MPI_REQUEST_NULL);
}

/// Repeats one transfer many times: either end waits, in each order of starts and marks, with each length,
/// with moves now and then. At last the sender is done and freed before the receiver starts.
static void again(int partitions, int ints, int seed) {
  MPI_Request send, receive;
  const int each = ints / partitions,
            needs_nobody = ints < 1000;  // so short a send ends without its receiver
  MPI_Psend_init(out, partitions, each, MPI_INT, next(), 3, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
  MPI_Precv_init(in, partitions, each, MPI_INT, before(), 3, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
  for (int round = 0; round < 40; ++round) {
    const int order = (my_rank * 7 + round * 5 + seed) % 4,
              marked_early = order % 2 ? partitions : partitions / 2;
    for (int i = 0; i < ints; ++i) out[i] = value(my_rank, round, i), in[i] = -1;
    if (order < 2) MPI_Start(&receive);
    MPI_Start(&send);
    for (int p = 0; p < marked_early; ++p) MPI_Pready(p, send);
    if (order == 3 && needs_nobody) MPI_Wait(&send, MPI_STATUS_IGNORE);
    if (round % 8 == 6) maybe_move();
    if (order >= 2) MPI_Start(&receive);
    if (order != 3 && marked_early < partitions) MPI_Pready_range(marked_early, partitions - 1, send);
    if (order == 0) watch(receive, partitions, ints, round, 0);
    MPI_Wait(&send, MPI_STATUS_IGNORE);  // inactive: nothing
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    for (int i = 0; i < ints; ++i) CHECK(in[i] == value(before(), round, i));
  }
  if (needs_nobody) {
    MPI_Start(&send);
    MPI_Pready_range(0, partitions - 1, send);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Request_free(&send);
    for (int i = 0; i < ints; ++i) out[i] = in[i] = -1;
    maybe_move();
    MPI_Start(&receive);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    for (int i = 0; i < ints; ++i) CHECK(in[i] == value(before(), 39, i));
  } else {
    MPI_Request_free(&send);
  }
  MPI_Request_free(&receive);
}

/// Checks that requests of one tag match in the order in which they are made, whether they are ever started
/// or not, and leave messages with that tag alone.
static void order(void) {
  MPI_Request sends[3], receives[3], plain;
  int token = -1;
  for (int k = 0; k < 3; ++k) {
    out[k] = value(my_rank, k, 0);
    MPI_Psend_init(&out[k], 1, 1, MPI_INT, next(), 9, MPI_COMM_WORLD, MPI_INFO_NULL, &sends[k]);
  }
  for (int k = 0; k < 3; ++k) {
    in[k] = -1;
    MPI_Precv_init(&in[k], 1, 1, MPI_INT, before(), 9, MPI_COMM_WORLD, MPI_INFO_NULL, &receives[k]);
  }
  MPI_Irecv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &plain);
  MPI_Request_free(&sends[0]);  // neither end is ever started
  MPI_Request_free(&receives[0]);
  MPI_Start(&receives[1]);
  MPI_Start(&receives[2]);
  for (int k = 2; k >= 1; --k) {
    MPI_Start(&sends[k]);
    MPI_Pready(0, sends[k]);
  }
  maybe_move();
  for (int k = 1; k < 3; ++k) {
    MPI_Wait(&receives[k], MPI_STATUS_IGNORE);
    MPI_Wait(&sends[k], MPI_STATUS_IGNORE);
    CHECK(in[k] == value(before(), k, 0));
    MPI_Request_free(&receives[k]);
    MPI_Request_free(&sends[k]);
  }
  CHECK(in[0] == -1);
  MPI_Send(&my_rank, 1, MPI_INT, next(), 9, MPI_COMM_WORLD);
  MPI_Wait(&plain, MPI_STATUS_IGNORE);
  CHECK(token == before());
}

/// A receive that is freed before its send exists still takes that send.
static void freed_early(void) {
  MPI_Request early, receive, sends[2];
  MPI_Precv_init(&in[0], 1, 1, MPI_INT, before(), 11, MPI_COMM_WORLD, MPI_INFO_NULL, &early);
  MPI_Request_free(&early);
  MPI_Precv_init(&in[1], 1, 1, MPI_INT, before(), 11, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
  MPI_Barrier(MPI_COMM_WORLD);
  maybe_move();
  for (int k = 0; k < 2; ++k) {
    out[k] = value(my_rank, k, 1);
    MPI_Psend_init(&out[k], 1, 1, MPI_INT, next(), 11, MPI_COMM_WORLD, MPI_INFO_NULL, &sends[k]);
  }
  MPI_Start(&receive);
  MPI_Start(&sends[1]);
  MPI_Pready(0, sends[1]);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  MPI_Wait(&sends[1], MPI_STATUS_IGNORE);
  CHECK(in[1] == value(before(), 1, 1));
  MPI_Request_free(&receive);
  MPI_Request_free(&sends[0]);
  MPI_Request_free(&sends[1]);
}

/// Starts a receive before its send exists: the code that completes it runs beside other ranks. The data is
/// thread-local, and so elsewhere while its rank does not run; it has gaps, which the partitions of the
/// sender do not fit.
static _Thread_local int own_out[12], own_in[16];
static void started_early(int sent_in, int with_gaps) {
  MPI_Datatype type = MPI_INT;
  MPI_Request send, receive;
  if (with_gaps) {
    MPI_Type_vector(2, 3, 4, MPI_INT, &type);
    MPI_Type_commit(&type);
  }
  memset(own_in, 0, sizeof own_in);
  MPI_Precv_init(own_in, 1, with_gaps ? 2 : 12, type, before(), 13, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
  if (with_gaps) MPI_Type_free(&type);
  MPI_Start(&receive);
  MPI_Barrier(MPI_COMM_WORLD);
  maybe_move();
  MPI_Psend_init(own_out, sent_in, 12 / sent_in, MPI_INT, next(), 13, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 12; ++i) own_out[i] = value(my_rank, round, i);
    if (round > 0) MPI_Start(&receive);
    MPI_Start(&send);
    mark(send, sent_in, round % 3);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    for (int i = 0; i < 12; ++i)
      CHECK(own_in[with_gaps ? i / 6 * 7 + i % 6 / 3 * 4 + i % 3 : i] == value(before(), round, i));
    if (round == 2) maybe_move();
  }
  MPI_Request_free(&send);
  MPI_Request_free(&receive);
}

static void with_nobody(void) {
  MPI_Request send, receive;
  MPI_Status status;
  int flag = 0;
  MPI_Psend_init(out, 3, 2, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
  MPI_Precv_init(in, 2, 3, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
  MPI_Start(&send);
  MPI_Start(&receive);
  MPI_Pready_range(0, 2, send);
  MPI_Parrived(receive, 1, &flag);
  CHECK(flag == 1);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Wait(&receive, &status);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
  MPI_Request_free(&send);
  MPI_Request_free(&receive);
}

#define FAILS(call, wanted) CHECK(class_of(call) == (wanted))

static void wrong_arguments(void) {
  MPI_Comm comm;
  MPI_Request send, receive, request;
  int flag;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const MPI_Info none = MPI_INFO_NULL;
  FAILS(MPI_Psend_init(out, -1, 1, MPI_INT, 0, 1, comm, none, &request), MPI_ERR_ARG);
  FAILS(MPI_Psend_init(out, 1, -1, MPI_INT, 0, 1, comm, none, &request), MPI_ERR_COUNT);
  FAILS(MPI_Psend_init(out, 1, 1, MPI_DATATYPE_NULL, 0, 1, comm, none, &request), MPI_ERR_TYPE);
  FAILS(MPI_Psend_init(out, 1, 1, MPI_INT, rank_count, 1, comm, none, &request), MPI_ERR_RANK);
  FAILS(MPI_Psend_init(out, 1, 1, MPI_INT, 0, -1, comm, none, &request), MPI_ERR_TAG);
  FAILS(MPI_Psend_init(NULL, 1, 1, MPI_INT, 0, 1, comm, none, &request), MPI_ERR_BUFFER);
  FAILS(MPI_Precv_init(in, 1, 1, MPI_INT, MPI_ANY_SOURCE, 1, comm, none, &request), MPI_ERR_RANK);
  FAILS(MPI_Precv_init(in, 1, 1, MPI_INT, 0, MPI_ANY_TAG, comm, none, &request), MPI_ERR_TAG);
  FAILS(MPI_Precv_init(in, 1, 1, MPI_INT, 0, 1, MPI_COMM_NULL, none, &request), MPI_ERR_COMM);
  MPI_Psend_init(out, 2, 1, MPI_INT, next(), 1, comm, none, &send);
  MPI_Precv_init(in, 2, 1, MPI_INT, before(), 1, comm, none, &receive);
  FAILS(MPI_Pready(0, send), MPI_ERR_REQUEST);  // not started
  MPI_Start(&send);
  MPI_Start(&receive);
  FAILS(MPI_Start(&send), MPI_ERR_REQUEST);
  FAILS(MPI_Pready(2, send), MPI_ERR_ARG);
  FAILS(MPI_Pready(-1, send), MPI_ERR_ARG);
  FAILS(MPI_Pready_range(0, 2, send), MPI_ERR_ARG);
  FAILS(MPI_Pready(0, receive), MPI_ERR_REQUEST);
  FAILS(MPI_Pready(0, MPI_REQUEST_NULL), MPI_ERR_REQUEST);
  FAILS(MPI_Parrived(send, 0, &flag), MPI_ERR_REQUEST);
  FAILS(MPI_Parrived(receive, 2, &flag), MPI_ERR_ARG);
  FAILS(MPI_Cancel(&send), MPI_ERR_REQUEST);
  MPI_Pready(0, send);
  FAILS(MPI_Pready(0, send), MPI_ERR_ARG);  // twice
  MPI_Parrived(MPI_REQUEST_NULL, 0, &flag);
  CHECK(flag == 1);
  MPI_Test(&send, &flag, MPI_STATUS_IGNORE);
  CHECK(flag == 0);  // half of it is missing
  MPI_Pready(1, send);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  MPI_Request_free(&send);
  MPI_Request_free(&receive);

  // More data arrives than there is room for.
  MPI_Psend_init(out, 3, 1, MPI_INT, next(), 2, comm, none, &send);
  MPI_Precv_init(in, 1, 2, MPI_INT, before(), 2, comm, none, &receive);
  MPI_Start(&send);
  MPI_Start(&receive);
  MPI_Pready_range(0, 2, send);
  in[2] = -5;
  FAILS(MPI_Wait(&receive, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  CHECK(in[2] == -5);
  MPI_Request_free(&send);
  MPI_Request_free(&receive);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  static const int partitions[] = {1, 2, 3, 8, 24};
  for (int s = 0; s < 5; ++s)
    for (int r = 0; r < 5; ++r) {
      transfers(partitions[s], partitions[r], s == r ? most_ints : 72, 0);
      if (partitions[r] % 2 == 0 || r == 0) transfers(partitions[s], partitions[r], 72, 1);
    }
  static const int lengths[] = {8, 16, 24, 136, 3000};
  for (int l = 0; l < 5; ++l) {
    again(1, lengths[l], l);
    again(8, lengths[l], l + 1);
  }
  order();
  freed_early();
  for (int sent_in = 1; sent_in <= 4; ++sent_in)
    for (int with_gaps = 0; with_gaps < 2; ++with_gaps) started_early(sent_in, with_gaps);
  with_nobody();
  wrong_arguments();
  finish("partitioned");
  return 0;
}
