// SPDX-License-Identifier: Apache-2.0
// How many messages fit the attached buffer, by the model implementation of MPI 4.1, 3.6.1: a message takes
// its packed size and at most MPI_BSEND_OVERHEAD, in one piece, from its send until it and all messages
// before it were received; the buffer is used round and round.
#include <string.h>

#include "check.h"

static int next(void) { return (my_rank + 1) % rank_count; }
static int before(void) { return (my_rank + rank_count - 1) % rank_count; }

/// Sends `bytes` bytes, each with the value of the tag, by a buffered send. Returns true if it had room.
static int fits(int bytes, int to, int tag) {
  char* const data = malloc((size_t)bytes);
  memset(data, tag, (size_t)bytes);
  const int error = class_of(MPI_Bsend(data, bytes, MPI_CHAR, to, tag, MPI_COMM_WORLD));
  CHECK(error == MPI_SUCCESS || error == MPI_ERR_BUFFER);
  free(data);
  return error == MPI_SUCCESS;
}

static void take(int bytes, int from, int tag) {
  char* const data = malloc((size_t)bytes);
  MPI_Status status;
  int got = -1;
  MPI_Recv(data, bytes, MPI_CHAR, from, tag, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_CHAR, &got);
  CHECK(got == bytes && data[0] == (char)tag && data[bytes - 1] == (char)tag);
  free(data);
}

static char* attach(int messages, int bytes) {
  const int room = messages * (bytes + MPI_BSEND_OVERHEAD);
  char* const buffer = malloc((size_t)room);
  MPI_Buffer_attach(buffer, room);
  return buffer;
}

static void detach(const char* buffer) {
  void* detached = NULL;
  int size = -1;
  MPI_Buffer_detach(&detached, &size);
  CHECK(detached == buffer);
  free(detached);
}

static void everybody(void) { MPI_Barrier(MPI_COMM_WORLD); }

/// Checks that one message has room, until it is received.
static void one_at_a_time(int bytes) {
  char* const buffer = attach(1, bytes);
  everybody();
  CHECK(fits(bytes, next(), 1));
  CHECK(!fits(bytes, next(), 2));
  everybody();
  take(bytes, before(), 1);
  // A rank that hears by another way that the message was received may send the next one: the news went round
  // by a third rank.
  int token = 0;
  MPI_Send(&token, 1, MPI_INT, before(), 3, MPI_COMM_WORLD);
  MPI_Recv(&token, 1, MPI_INT, next(), 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  everybody();
  CHECK(fits(bytes, next(), 4));
  take(bytes, before(), 4);
  everybody();
  detach(buffer);
}

/// Sends messages to the rank itself, so that it knows when each was received.
static void oldest_first(int bytes) {
  char* const buffer = attach(3, bytes);
  const int self = my_rank;
  for (int tag = 1; tag <= 3; ++tag) CHECK(fits(bytes, self, tag));
  CHECK(!fits(bytes, self, 4));
  take(bytes, self, 2);
  CHECK(!fits(bytes, self, 4));  // the first still holds the room behind it
  take(bytes, self, 1);
  CHECK(fits(bytes, self, 4));
  CHECK(fits(bytes, self, 5));
  CHECK(!fits(bytes, self, 6));
  take(bytes, self, 3);
  CHECK(!fits(2 * bytes + MPI_BSEND_OVERHEAD, self, 6));  // one third is free
  take(bytes, self, 4);
  // Two thirds are free, and lie around the fifth: no piece holds two of them.
  CHECK(!fits(2 * bytes + MPI_BSEND_OVERHEAD, self, 6));
  take(bytes, self, 5);
  CHECK(fits(2 * bytes + MPI_BSEND_OVERHEAD, self, 6));
  take(2 * bytes + MPI_BSEND_OVERHEAD, self, 6);
  CHECK(fits(3 * bytes + 2 * MPI_BSEND_OVERHEAD, self, 7));
  take(3 * bytes + 2 * MPI_BSEND_OVERHEAD, self, 7);
  CHECK(!fits(3 * (bytes + MPI_BSEND_OVERHEAD) + 1, self, 8));
  detach(buffer);
}

/// Checks that detaching and flushing wait until messages have left, not for receivers.
static void leaving(int bytes) {
  char* buffer = attach(1, bytes);
  CHECK(fits(bytes, my_rank, 1));
  CHECK(!fits(bytes, my_rank, 2));
  MPI_Buffer_flush();
  CHECK(fits(bytes, my_rank, 2));
  detach(buffer);
  maybe_move();
  take(bytes, my_rank, 1);
  buffer = attach(1, bytes);
  CHECK(fits(bytes, my_rank, 3));
  take(bytes, my_rank, 2);  // it was sent before the buffer was attached, and frees nothing now
  CHECK(!fits(bytes, my_rank, 4));
  take(bytes, my_rank, 3);
  detach(buffer);
}

/// Checks that a buffer of the library's own is never full.
static void automatic(void) {
  MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0);
  for (int tag = 1; tag <= 20; ++tag) CHECK(fits(1000 * tag, next(), tag));
  maybe_move();
  for (int tag = 20; tag >= 1; --tag) take(1000 * tag, before(), tag);
  void* detached = NULL;
  int size = -1;
  MPI_Buffer_detach(&detached, &size);
  CHECK(detached == MPI_BUFFER_AUTOMATIC);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  // Lengths below and above those that go with their envelope, and those that a receiver on the same PE
  // keeps. The room depends on the data only, whatever else is taken.
  static const int lengths[] = {4 * MPI_BSEND_OVERHEAD, 5000, 12000, 100000};
  for (int k = 0; k < 4; ++k) {
    one_at_a_time(lengths[k]);
    maybe_move();
    oldest_first(lengths[k]);
    leaving(lengths[k]);
  }
  automatic();
  finish("buffered");
  return 0;
}
