// SPDX-License-Identifier: Apache-2.0
// Cancelling and the attached buffer, as MPI 4.1 has them: a cancelled send either was received or never
// arrives (3.8.4); a Wait for one returns whatever the receiver does; a flush returns when the buffer is
// empty (3.6.1). Every rank sends to the next and receives from the one before, itself if it is alone, before
// and after moves.
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int next(void) { return (my_rank + 1) % rank_count; }
static int before(void) { return (my_rank + rank_count - 1) % rank_count; }

static int was_cancelled(MPI_Request* request) {
  MPI_Status status;
  int flag = -1;
  MPI_Wait(request, &status);
  MPI_Test_cancelled(&status, &flag);
  return flag;
}

// Makes two sends of one envelope and cancels the second; then a third, whose request may have the second
// one's address. The receiver must see the first and the third.
static void call_back(int bytes, int synchronous) {
  unsigned char* const out = malloc((size_t)bytes * 3);
  unsigned char* const in = malloc((size_t)bytes * 2);
  for (int k = 0; k < 3; ++k) memset(out + (size_t)k * bytes, 'a' + k, (size_t)bytes);
  MPI_Request sends[3];
  int (*const send)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) =
      synchronous ? MPI_Issend : MPI_Isend;
  for (int k = 0; k < 2; ++k)
    send(out + (size_t)k * bytes, bytes, MPI_BYTE, next(), 5, MPI_COMM_WORLD, &sends[k]);
  MPI_Cancel(&sends[1]);
  CHECK(was_cancelled(&sends[1]) == 1);
  send(out + (size_t)2 * bytes, bytes, MPI_BYTE, next(), 5, MPI_COMM_WORLD, &sends[2]);
  MPI_Barrier(MPI_COMM_WORLD);  // no rank receives before
  for (int k = 0; k < 2; ++k)
    MPI_Recv(in + (size_t)k * bytes, bytes, MPI_BYTE, before(), 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(in[0] == 'a' && in[bytes - 1] == 'a');
  CHECK(in[bytes] == 'c' && in[2 * bytes - 1] == 'c');
  MPI_Wait(&sends[0], MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Cancel(&sends[2]);  // too late: it was received
  CHECK(was_cancelled(&sends[2]) == 0);
  int there;
  MPI_Iprobe(before(), 5, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  CHECK(!there);
  MPI_Barrier(MPI_COMM_WORLD);
  free(out);
  free(in);
}

static void persistent(void) {
  int value = 7, got = 0;
  MPI_Request send;
  MPI_Ssend_init(&value, 1, MPI_INT, next(), 6, MPI_COMM_WORLD, &send);
  MPI_Start(&send);
  MPI_Cancel(&send);
  CHECK(was_cancelled(&send) == 1);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Start(&send);
  MPI_Recv(&got, 1, MPI_INT, before(), 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(was_cancelled(&send) == 0 && got == 7);
  MPI_Request_free(&send);
}

static void receive(void) {
  int got = 3;
  MPI_Request request;
  MPI_Irecv(&got, 1, MPI_INT, before(), 8, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  CHECK(was_cancelled(&request) == 1 && got == 3);
}

// MPI 4.1, 3.10: the call checks nothing but the communicator.
static void nobody(void) {
  MPI_Status status;
  MPI_Request request;
  MPI_Irecv(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, &status);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
  MPI_Isend(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void flush(void) {
  enum { bytes = 20000 };
  static char room[2 * (bytes + MPI_BSEND_OVERHEAD)], out[bytes], in[bytes];
  MPI_Buffer_attach(room, sizeof room);
  MPI_Request flushed;
  memset(out, my_rank, bytes);
  MPI_Bsend(out, bytes, MPI_CHAR, next(), 9, MPI_COMM_WORLD);
  MPI_Buffer_iflush(&flushed);
  MPI_Recv(in, bytes, MPI_CHAR, before(), 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&flushed, MPI_STATUS_IGNORE);
  CHECK(in[0] == (char)before() && in[bytes - 1] == (char)before());
  // Both messages fit only because the first has left.
  for (int k = 0; k < 2; ++k) MPI_Bsend(out, bytes, MPI_CHAR, next(), 9, MPI_COMM_WORLD);
  for (int k = 0; k < 2; ++k) MPI_Recv(in, bytes, MPI_CHAR, before(), 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  void* detached;
  int length;
  MPI_Buffer_detach(&detached, &length);
  CHECK(detached == room && length == (int)sizeof room);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  // Lengths below and above those that go with their envelope, and those that a receiver on the same PE
  // keeps.
  static const int lengths[] = {1, 5000, 12000, 100000};
  for (int round = 0; round < 3; ++round) {
    for (int k = 0; k < 4; ++k)
      for (int synchronous = 0; synchronous < 2; ++synchronous) call_back(lengths[k], synchronous);
    persistent();
    receive();
    nobody();
    flush();
    maybe_move();
  }
  finish("cancel");
  return 0;
}
