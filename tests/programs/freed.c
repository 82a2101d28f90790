/* SPDX-License-Identifier: Apache-2.0
 * Requests that the program frees and never waits for: receives from any rank and from one, persistent ones
 * and exchanges, before their messages come and after; sends; neighbourhood collectives; some are cancelled
 * before. */
#include <mpi.h>

#include "check.h"

int MPI_Migrate(void);

enum { rounds = 6, kinds = 4, large = 30000 };
static int me, left, right;
static char in[rounds][kinds][large], out[rounds][large];

/* Frees receives at once, or when their messages have come: those of one sender come in order. */
static void receives(int round, int freed_late) {
  MPI_Request requests[kinds], send;
  char behind;
  for (int k = 0; k < kinds; ++k) {
    const int from = k % 2 ? MPI_ANY_SOURCE : left;
    if (k < 2)
      MPI_Irecv(in[round][k], large, MPI_CHAR, from, k, MPI_COMM_WORLD, &requests[k]);
    else
      MPI_Recv_init(in[round][k], large, MPI_CHAR, from, k, MPI_COMM_WORLD, &requests[k]);
    if (k >= 2) MPI_Start(&requests[k]);
    if (!freed_late) MPI_Request_free(&requests[k]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0; k < kinds; ++k) {
    /* Long sends complete when their receivers have copied the data, which the rank does not check. */
    MPI_Isend(out[round], k % 2 ? large : 10 + round, MPI_CHAR, right, k, MPI_COMM_WORLD, &send);
    MPI_Request_free(&send);
  }
  MPI_Send(out[round], 1, MPI_CHAR, right, kinds, MPI_COMM_WORLD);
  MPI_Recv(&behind, 1, MPI_CHAR, left, kinds, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int k = 0; k < kinds && freed_late; ++k) {
    for (int complete = 0; !complete;) MPI_Request_get_status(requests[k], &complete, MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[k]);
  }
}

static void others(MPI_Comm grid) {
  MPI_Request request;
  char ends[2], got;
  int complete = 0;
  MPI_Irecv(&got, 1, MPI_CHAR, left, kinds + 1, MPI_COMM_WORLD, &request); /* nobody sends it */
  MPI_Cancel(&request);
  MPI_Request_free(&request);
  MPI_Issend(&got, 1, MPI_CHAR, right, kinds + 1, MPI_COMM_WORLD, &request); /* nobody receives it */
  MPI_Cancel(&request);
  MPI_Request_free(&request);
  MPI_Isendrecv(out[0], 1, MPI_CHAR, right, kinds + 2, &got, 1, MPI_CHAR, MPI_ANY_SOURCE, kinds + 2,
                MPI_COMM_WORLD, &request);
  while (!complete) MPI_Request_get_status(request, &complete, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Ineighbor_allgather(out[0], 1, MPI_CHAR, ends, 1, MPI_CHAR, grid, &request);
  for (complete = 0; !complete;) MPI_Request_get_status(request, &complete, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  me = my_rank;
  left = (me + rank_count - 1) % rank_count;
  right = (me + 1) % rank_count;
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &rank_count, (int[]){1}, 0, &grid);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < large; ++i) out[round][i] = (char)(me + round + i);
    receives(round, round % 2);
    others(grid);
    MPI_Migrate();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int round = 0; round < rounds; ++round)
    for (int k = 0; k < kinds; ++k)
      for (int i = 0; i < (k % 2 ? large : 10 + round); ++i)
        CHECK(in[round][k][i] == (char)(left + round + i));
  if (me == 0) printf("freed\n");
  MPI_Finalize();
  return 0;
}
