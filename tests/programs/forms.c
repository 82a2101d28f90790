// SPDX-License-Identifier: Apache-2.0
// Point-to-point calls in their forms with MPI_Count (compile with LARGE_COUNTS) and int: every send mode,
// blocking, nonblocking and persistent, to every kind of receive. Each rank sends to the next a function of
// its number, the round and the place in the message.
#include <string.h>

#include "check.h"

enum { ints = 3000 };

static int next(void) { return (my_rank + 1) % rank_count; }
static int before(void) { return (my_rank + rank_count - 1) % rank_count; }
static int value(int from, int round, int i) { return from * 7919 + round * 101 + i; }

static void fill(int* data, int from, int round) {
  for (int i = 0; i < ints; ++i) data[i] = value(from, round, i);
}
static void check(const int* data, int from, int round) {
  for (int i = 0; i < ints; ++i) CHECK(data[i] == value(from, round, i));
}

static void check_status(const MPI_Status* status, int round) {
  int count = -1;
  MPI_Count large = -1;
  MPI_Get_count(status, MPI_INT, &count);
  MPI_Get_count_c(status, MPI_INT, &large);
  CHECK(count == ints && large == ints);
  MPI_Get_elements_c(status, MPI_INT, &large);
  CHECK(large == ints);
  MPI_Get_elements_x(status, MPI_INT, &large);
  CHECK(large == ints);
  CHECK(status->MPI_SOURCE == before() && status->MPI_TAG == round);
}

enum { send, bsend, ssend, rsend, modes };

static void start_nonblocking(int mode, const int* out, int round, MPI_Request* request) {
  const MPI_Comm world = MPI_COMM_WORLD;
  if (mode == send) MPI_Isend(out, ints, MPI_INT, next(), round, world, request);
  if (mode == bsend) MPI_Ibsend(out, ints, MPI_INT, next(), round, world, request);
  if (mode == ssend) MPI_Issend(out, ints, MPI_INT, next(), round, world, request);
  if (mode == rsend) MPI_Irsend(out, ints, MPI_INT, next(), round, world, request);
}

static void start_persistent(int mode, const int* out, int round, MPI_Request* request) {
  const MPI_Comm world = MPI_COMM_WORLD;
  if (mode == send) MPI_Send_init(out, ints, MPI_INT, next(), round, world, request);
  if (mode == bsend) MPI_Bsend_init(out, ints, MPI_INT, next(), round, world, request);
  if (mode == ssend) MPI_Ssend_init(out, ints, MPI_INT, next(), round, world, request);
  if (mode == rsend) MPI_Rsend_init(out, ints, MPI_INT, next(), round, world, request);
  MPI_Start(request);
}

static void send_blocking(int mode, const int* out, int round) {
  const MPI_Comm world = MPI_COMM_WORLD;
  if (mode == send) MPI_Send(out, ints, MPI_INT, next(), round, world);
  if (mode == bsend) MPI_Bsend(out, ints, MPI_INT, next(), round, world);
  if (mode == ssend) MPI_Ssend(out, ints, MPI_INT, next(), round, world);
  if (mode == rsend) MPI_Rsend(out, ints, MPI_INT, next(), round, world);
}

/// Posts the receive before any rank sends, as a ready send requires.
static void with_posted_receive(int mode, int form, int round) {
  static int out[ints], in[ints];
  fill(out, my_rank, round);
  memset(in, 0, sizeof in);
  MPI_Request receive, request = MPI_REQUEST_NULL;
  MPI_Status status;
  if (form == 2) {
    MPI_Recv_init(in, ints, MPI_INT, before(), round, MPI_COMM_WORLD, &receive);
    MPI_Start(&receive);
  } else {
    MPI_Irecv(in, ints, MPI_INT, before(), round, MPI_COMM_WORLD, &receive);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (form == 0) send_blocking(mode, out, round);
  if (form == 1) start_nonblocking(mode, out, round, &request);
  if (form == 2) start_persistent(mode, out, round, &request);
  maybe_move();
  MPI_Wait(&receive, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check_status(&status, round);
  check(in, before(), round);
  if (form == 2) {
    MPI_Request_free(&receive);
    MPI_Request_free(&request);
  }
}

static void receives(int round) {
  static int out[ints], in[ints];
  MPI_Status status;
  MPI_Request request;
  MPI_Message message;
  fill(out, my_rank, round);

  MPI_Isend(out, ints, MPI_INT, next(), round, MPI_COMM_WORLD, &request);
  MPI_Recv(in, ints, MPI_INT, before(), round, MPI_COMM_WORLD, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check_status(&status, round);
  check(in, before(), round);

  memset(in, 0, sizeof in);
  MPI_Isend(out, ints, MPI_INT, next(), round, MPI_COMM_WORLD, &request);
  MPI_Mprobe(before(), round, MPI_COMM_WORLD, &message, &status);
  check_status(&status, round);
  maybe_move();
  MPI_Mrecv(in, ints, MPI_INT, &message, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(message == MPI_MESSAGE_NULL);
  check_status(&status, round);
  check(in, before(), round);

  memset(in, 0, sizeof in);
  MPI_Request receive;
  MPI_Isend(out, ints, MPI_INT, next(), round, MPI_COMM_WORLD, &request);
  MPI_Mprobe(before(), round, MPI_COMM_WORLD, &message, &status);
  MPI_Imrecv(in, ints, MPI_INT, &message, &receive);
  MPI_Wait(&receive, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check_status(&status, round);
  check(in, before(), round);
}

static void exchanges(int round) {
  static int out[ints], in[ints];
  MPI_Status status;
  MPI_Request request;
  fill(out, my_rank, round);
  MPI_Sendrecv(out, ints, MPI_INT, next(), round, in, ints, MPI_INT, before(), round, MPI_COMM_WORLD,
               &status);
  check_status(&status, round);
  check(in, before(), round);

  MPI_Sendrecv_replace(out, ints, MPI_INT, next(), round, before(), round, MPI_COMM_WORLD, &status);
  check_status(&status, round);
  check(out, before(), round);

  fill(out, my_rank, round + 1);
  MPI_Isendrecv(out, ints, MPI_INT, next(), round, in, ints, MPI_INT, before(), round, MPI_COMM_WORLD,
                &request);
  maybe_move();
  MPI_Wait(&request, &status);
  check(in, before(), round + 1);

  MPI_Isendrecv_replace(out, ints, MPI_INT, next(), round, before(), round, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, &status);
  check(out, before(), round + 1);
}

/// Checks types with counts only: a vector of two ints with a gap, byte by byte, in contiguous pairs (MPI
/// 4.1, 5.1.2).
static void types(void) {
  MPI_Datatype vector, strided, pair, wide;
  MPI_Type_vector(3, 2, 4, MPI_INT, &vector);
  MPI_Type_create_hvector(3, 2, 4 * (int)sizeof(int), MPI_INT, &strided);
  MPI_Type_contiguous(2, vector, &pair);
  MPI_Type_create_resized(MPI_INT, -4, 12, &wide);
  const MPI_Datatype all[] = {vector, strided, pair, wide};
  // Size and extent from the definitions: (count - 1) * stride + blocklength ints; twice that; as given.
  const int sizes[] = {24, 24, 48, 4}, extents[] = {40, 40, 80, 12}, lower[] = {0, 0, 0, -4};
  const int true_extents[] = {40, 40, 80, 4};
  for (int t = 0; t < 4; ++t) {
    MPI_Count size = -1, bound = 1, extent = -1;
    MPI_Type_size_c(all[t], &size);
    CHECK(size == sizes[t]);
    MPI_Type_size_x(all[t], &size);
    CHECK(size == sizes[t]);
    MPI_Type_get_extent_c(all[t], &bound, &extent);
    CHECK(bound == lower[t] && extent == extents[t]);
    MPI_Type_get_extent_x(all[t], &bound, &extent);
    CHECK(bound == lower[t] && extent == extents[t]);
    MPI_Type_get_true_extent_c(all[t], &bound, &extent);
    CHECK(bound == 0 && extent == true_extents[t]);
    MPI_Type_get_true_extent_x(all[t], &bound, &extent);
    CHECK(bound == 0 && extent == true_extents[t]);
    MPI_Aint at, long_extent;
    MPI_Type_get_true_extent(all[t], &at, &long_extent);
    CHECK(at == 0 && long_extent == true_extents[t]);
  }
  MPI_Type_free(&vector);
  MPI_Type_free(&strided);
  MPI_Type_free(&pair);
  MPI_Type_free(&wide);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  static char room[2 * (ints * (int)sizeof(int) + MPI_BSEND_OVERHEAD)];
  MPI_Buffer_attach(room, sizeof room);
  int round = 0;
  for (int mode = 0; mode < modes; ++mode)
    for (int form = 0; form < 3; ++form) with_posted_receive(mode, form, ++round);
  receives(++round);
  exchanges(++round);
  types();
  MPI_Buffer_flush();
  char* detached = NULL;
  MPI_Count size = 0;
  MPI_Buffer_detach_c(&detached, &size);
  CHECK(detached == room && size == (MPI_Count)sizeof room);
  finish("forms");
  return 0;
}
