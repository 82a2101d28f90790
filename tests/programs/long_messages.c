// SPDX-License-Identifier: Apache-2.0
// `long_messages [ROUNDS]`: messages long enough to be copied by both PEs (runtime/net/helped_copy.hpp),
// between moves. Lengths are drawn, or lie around those where that begins and where pieces end. Senders wait,
// or have something to do; some receivers take pairs, some messages go forth and back between two buffers,
// some receives are shorter than the message. Sent data is overwritten as soon as the send is over, and
// received data must stay as it is overwritten: no PE copies any more. Values are a function of round, sender
// and index.
#include "check.h"

enum { longest = 1 << 21, kinds = 5 };

static unsigned char out[longest + 8], in[longest + 8];

static unsigned long seed;
/// Returns the same number on all ranks.
static int draw(int below) {
  seed = seed * 6364136223846793005UL + 1442695040888963407UL;
  return (int)((seed >> 33) % (unsigned long)below);
}

static int draw_length(void) {
  const int piece = 128 << 10, around = draw(3) - 1;
  if (draw(2) == 0) return (2 + draw(8)) * piece + around;
  return 1 + draw(longest);
}

static unsigned char value(int sender, int round, int i) {
  return (unsigned char)(sender * 37 + round * 11 + i + i / 253);
}
static void fill(int round, int bytes) {
  for (int i = 0; i < bytes; ++i) out[i] = value(my_rank, round, i);
}
static void check(int sender, int round, int bytes) {
  for (int i = 0; i < bytes; ++i) CHECK(in[i] == value(sender, round, i));
  CHECK(in[bytes] == 201);
}
static void overwrite(unsigned char* buffer, int bytes) {
  for (int i = 0; i < bytes; ++i) buffer[i] = 201;
}
static void dawdle(int turns) {
  for (volatile int i = 0; i < turns; ++i) {
  }
}

static void send(int to, int bytes, int round, int synchronous) {
  fill(round, bytes);
  (synchronous ? MPI_Ssend : MPI_Send)(out, bytes, MPI_BYTE, to, round, MPI_COMM_WORLD);
  overwrite(out, bytes);
}
static void receive(int from, int bytes, int round) {
  overwrite(in, bytes + 1);
  MPI_Recv(in, bytes, MPI_BYTE, from, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  check(from, round, bytes);
  overwrite(in, bytes);
}
/// Receives into room for half of the message.
static void receive_half(int from, int bytes, int round) {
  overwrite(in, bytes + 1);
  MPI_Status status;
  const int error = MPI_Recv(in, bytes / 2, MPI_BYTE, from, round, MPI_COMM_WORLD, &status);
  CHECK(class_of(error) == MPI_ERR_TRUNCATE);
  for (int i = bytes / 2; i <= bytes; ++i) CHECK(in[i] == 201);
  overwrite(in, bytes);
}

static void exchange(int with, int bytes, int round, int kind) {
  const int begins = my_rank < with;
  if (kind == 0 || kind == 1) {  // one after the other
    if (begins) send(with, bytes, round, kind);
    receive(with, bytes, round);
    if (!begins) send(with, bytes, round, kind);
  } else if (kind == 2) {  // at once, and this one or that one late
    MPI_Request requests[2];
    fill(round, bytes);
    overwrite(in, bytes + 1);
    dawdle((my_rank + round) % 3 * 20000);
    MPI_Irecv(in, bytes, MPI_BYTE, with, round, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, bytes, MPI_BYTE, with, round, MPI_COMM_WORLD, &requests[1]);
    dawdle((my_rank + round) % 2 * 50000);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    overwrite(out, bytes);
    check(with, round, bytes);
    overwrite(in, bytes);
  } else if (kind == 3) {
    if (begins)
      send(with, bytes, round, 1);
    else
      receive_half(with, bytes, round);
  } else {  // forth and back
    if (begins) {
      fill(round, bytes);
      overwrite(in, bytes + 1);
      for (int i = 0; i < bytes; ++i) in[i] = out[i];
    }
    for (int turn = 0; turn < 6; ++turn) {
      if ((turn % 2 == 0) == begins)
        MPI_Send(in, bytes, MPI_BYTE, with, round, MPI_COMM_WORLD);
      else
        MPI_Recv(in, bytes, MPI_BYTE, with, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < bytes; ++i) CHECK(in[i] == value(begins ? my_rank : with, round, i));
    overwrite(in, bytes);
  }
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 1) * 20;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  overwrite(out, longest + 8);
  overwrite(in, longest + 8);
  for (int round = 0; round < rounds; ++round) {
    seed = (unsigned long)round + 1;
    const int bytes = draw_length(), kind = draw(kinds), turn = draw(rank_count);
    const int with = (turn + rank_count - my_rank) % rank_count;
    if (with != my_rank) exchange(with, bytes, round, kind);
    maybe_move();
    for (int i = 0; i < longest + 8; ++i) CHECK(in[i] == 201);
  }
  finish("long_messages");
  return 0;
}
