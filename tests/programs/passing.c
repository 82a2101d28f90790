// SPDX-License-Identifier: Apache-2.0
// `passing`, four ranks on two PEs: messages between other ranks progress while a rank makes calls that
// complete at once, and so never gives way: its PE looks for messages by the clock. Ranks 0 and 2 are on
// different PEs; rank 3 shares that of rank 2, and sends to itself until it sees that rank 0's long message
// has been received.
#include "check.h"

enum { ints = 1 << 18, most_calls = 50 * 1000 * 1000, tag = 7 };

static int data[ints];
static volatile int* seen;  // in the window: the word of rank 0
static MPI_Win window;

/// These ways of a message to the rank itself all complete at once.
static void blocking(void) {
  int value = 1;
  MPI_Send(&value, 1, MPI_INT, my_rank, tag, MPI_COMM_WORLD);
  MPI_Recv(&value, 1, MPI_INT, my_rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void nonblocking(void) {
  int out = 1, in;
  MPI_Request both[2];
  MPI_Irecv(&in, 1, MPI_INT, my_rank, tag, MPI_COMM_WORLD, &both[0]);
  MPI_Isend(&out, 1, MPI_INT, my_rank, tag, MPI_COMM_WORLD, &both[1]);
  MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}
static MPI_Request tied[2];
static void persistent(void) {
  MPI_Startall(2, tied);
  MPI_Waitall(2, tied, MPI_STATUSES_IGNORE);
}
static void exchange(void) {
  int out = 1, in;
  MPI_Sendrecv(&out, 1, MPI_INT, my_rank, tag, &in, 1, MPI_INT, my_rank, tag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

static void round_of(void (*pass)(void), int number) {
  int ready = number;
  MPI_Barrier(MPI_COMM_WORLD);
  if (my_rank == 0) {
    MPI_Recv(&ready, 1, MPI_INT, 3, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < ints; ++i) data[i] = number + i;
    MPI_Send(data, ints, MPI_INT, 2, tag, MPI_COMM_WORLD);  // returns when it is being received
    MPI_Put(&number, 1, MPI_INT, 3, 0, 1, MPI_INT, window);
    MPI_Win_flush(3, window);
  } else if (my_rank == 2) {
    MPI_Recv(data, ints, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < ints; ++i) CHECK(data[i] == number + i);
  } else if (my_rank == 3) {
    MPI_Send(&ready, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    int calls = 0;
    while (*seen != number && calls < most_calls) pass(), ++calls;
    CHECK(*seen == number);
  }
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  CHECK(rank_count == 4);
  int* memory;
  MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  *memory = 0;
  seen = memory;
  MPI_Win_lock_all(0, window);
  static int out = 1, in;
  MPI_Send_init(&out, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &tied[1]);
  MPI_Recv_init(&in, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &tied[0]);
  void (*const passes[])(void) = {blocking, nonblocking, persistent, exchange};
  for (int number = 1; number <= 12; ++number) round_of(passes[number % 4], number);
  MPI_Request_free(&tied[0]);
  MPI_Request_free(&tied[1]);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  finish("passing");
  return 0;
}
