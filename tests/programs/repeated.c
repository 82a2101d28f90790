/* SPDX-License-Identifier: Apache-2.0
 * Rounds of nonblocking and persistent messages that resemble the round before, but not quite and not always,
 * so that a recording must tell them apart. tests/job/trace/repeated.py has the expected trace. With 3 ranks.
 */
#include <mpi.h>

#include "check.h"

int MPI_Migrate(void);

enum { rounds = 120, bytes = 100 };
static int left, right;
static char in[4][bytes], out[4][bytes];

static void receive_from(int source, int tag, int row, MPI_Request* request) {
  MPI_Irecv(in[row], bytes, MPI_BYTE, source, tag, MPI_COMM_WORLD, request);
}
static void send_to(int target, int tag, int row, int size, MPI_Request* request) {
  MPI_Isend(out[row], size, MPI_BYTE, target, tag, MPI_COMM_WORLD, request);
}

/* Makes the same calls each time, and takes their results in different orders. */
static void halo(int round) {
  MPI_Request requests[4], reversed[4];
  receive_from(left, 1, 0, &requests[0]);
  receive_from(right, 2, 1, &requests[1]);
  send_to(right, 1, 0, bytes, &requests[2]);
  send_to(left, 2, 1, bytes, &requests[3]);
  for (int i = 0; i < 4; ++i) reversed[i] = requests[3 - i];
  if (round % 8 < 6) {
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  } else if (round % 8 == 6) {
    MPI_Waitall(4, reversed, MPI_STATUSES_IGNORE);
  } else {
    for (int i = 0; i < 4; ++i) MPI_Wait(&reversed[i], MPI_STATUS_IGNORE);
  }
}

/* Changes the tag now and then, or the size, or cancels a receive that no rank sends to. */
static void changing(int round) {
  MPI_Request requests[4];
  const int tag = 3 + round / 16 % 2;
  receive_from(left, tag, 2, &requests[0]);
  receive_from(MPI_ANY_SOURCE, 5, 3, &requests[1]);
  send_to(right, tag, 2, 10 + round / 24, &requests[2]);
  send_to(left, 5, 3, bytes, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);

  receive_from(left, 6, 0, &requests[0]);
  if (round % 8 == 7)
    MPI_Cancel(&requests[0]);
  else
    MPI_Send(out[0], 6, MPI_BYTE, right, 6, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void make_persistent(int tag, MPI_Request both[2]) {
  MPI_Recv_init(in[0], bytes, MPI_BYTE, left, tag, MPI_COMM_WORLD, &both[0]);
  MPI_Send_init(out[0], 50, MPI_BYTE, right, tag, MPI_COMM_WORLD, &both[1]);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  CHECK(rank_count == 3);
  left = (my_rank + 2) % 3;
  right = (my_rank + 1) % 3;
  MPI_Request both[2];
  make_persistent(10, both);
  for (int round = 0; round < rounds; ++round) {
    halo(round);
    changing(round);
    if (round % 20 == 19) { /* another one, where this one was */
      MPI_Request_free(&both[0]);
      MPI_Request_free(&both[1]);
      make_persistent(10 + round / 20, both);
    }
    MPI_Startall(2, both);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    if (round % 30 == 29) MPI_Migrate();
  }
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);
  if (my_rank == 0) printf("repeated\n");
  MPI_Finalize();
  return 0;
}
