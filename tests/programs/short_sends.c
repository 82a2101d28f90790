// SPDX-License-Identifier: Apache-2.0
// `short_sends [ROUNDS]`: a short nonblocking send completes even if no rank receives it, in each way of
// completing, and then its buffer may be used again. MPI does not promise this; Skein does, for messages that
// it sends eagerly, like every other MPI. All ranks complete their sends before any posts a receive: a send
// that waited for its receiver would be a deadlock.
#include "check.h"

enum { most_ints = 2000, tag = 5, ways = 13 };  // up to 8 KiB, what is eager between PEs

static const int sizes[] = {1, 63, 64, 65, most_ints};  // around 256 bytes, from which on data may be left
static int right, left;

/// Returns an element that rank `sender` sends in the given way; no two are equal.
static int element(int sender, int way, int size, int i) {
  return sender * 100003 + way * 1009 + size + 7 * i;
}

static void fill(int* data, int way, int size) {
  for (int i = 0; i < size; ++i) data[i] = element(my_rank, way, size, i);
}

static void receive_from_left(int way, int size) {
  int in[most_ints + 1];
  MPI_Status status;
  int count;
  MPI_Recv(in, most_ints + 1, MPI_INT, left, tag, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(count == size && status.MPI_SOURCE == left && status.MPI_TAG == tag);
  for (int i = 0; i < size; ++i) CHECK(in[i] == element(left, way, size, i));
}

/// Returns once all ranks have come here. Its messages have no data.
static void meet(void) {
  int unused = 0, sum;
  MPI_Allreduce(&unused, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/// Completes the request in one of the ways that leave no handle behind. If the call takes several requests,
/// a receive that no rank sends to is beside it.
static void complete(int way, MPI_Request* send) {
  MPI_Request both[2] = {MPI_REQUEST_NULL, *send};
  int flag = 0, index = -1, indices[2];
  MPI_Status statuses[2];
  static int never;
  const int with_receive = way == 4 || way == 5 || way == 6 || way == 7;
  if (with_receive) MPI_Irecv(&never, 1, MPI_INT, left, tag + 1, MPI_COMM_WORLD, &both[0]);
  switch (way) {
    case 0:
      MPI_Wait(&both[1], MPI_STATUS_IGNORE);
      break;
    case 1:
      MPI_Test(&both[1], &flag, MPI_STATUS_IGNORE);
      CHECK(flag);
      break;
    case 2:
      MPI_Waitall(2, both, statuses);
      break;
    case 3:
      MPI_Testall(2, both, &flag, statuses);
      CHECK(flag);
      break;
    case 4:
      MPI_Waitany(2, both, &index, statuses);
      CHECK(index == 1);
      break;
    case 5:
      MPI_Testany(2, both, &index, &flag, statuses);
      CHECK(flag && index == 1);
      break;
    case 6:
      MPI_Waitsome(2, both, &index, indices, statuses);
      CHECK(index == 1 && indices[0] == 1);
      break;
    case 7:
      MPI_Testsome(2, both, &index, indices, statuses);
      CHECK(index == 1 && indices[0] == 1);
      break;
    case 8:
      MPI_Request_get_status(both[1], &flag, statuses);
      CHECK(flag);
      break;
    case 9:
      MPI_Request_get_status_any(2, both, &index, &flag, statuses);
      CHECK(flag && index == 1);
      break;
    case 10:
      MPI_Request_get_status_all(2, both, &flag, statuses);
      CHECK(flag);
      break;
    case 11:
      MPI_Request_get_status_some(2, both, &index, indices, statuses);
      CHECK(index == 1);
      break;
    case 12:
      MPI_Request_free(&both[1]);
      break;
  }
  if (with_receive) {
    MPI_Cancel(&both[0]);
    MPI_Wait(&both[0], &statuses[0]);
    MPI_Test_cancelled(&statuses[0], &flag);
    CHECK(flag);
  }
  *send = both[1];
}

/// The sender reuses its buffer as soon as it may; the message has the old contents.
static void unreceived(int way, int size, int moves) {
  static int out[most_ints];
  fill(out, way, size);
  MPI_Request send;
  MPI_Isend(out, size, MPI_INT, right, tag, MPI_COMM_WORLD, &send);
  for (int i = 0; i < moves; ++i) maybe_move();
  complete(way, &send);
  for (int i = 0; i < size; ++i) out[i] = -1;
  meet();
  if (moves) maybe_move();
  if (send != MPI_REQUEST_NULL) MPI_Wait(&send, MPI_STATUS_IGNORE);  // the call only asked for the status
  receive_from_left(way, size);
}

/// A matched probe has taken the message before its send was waited for.
static void probed(int size, int moves) {
  static int out[most_ints], in[most_ints];
  fill(out, ways, size);
  MPI_Request send;
  MPI_Message message;
  MPI_Status status;
  MPI_Isend(out, size, MPI_INT, right, tag, MPI_COMM_WORLD, &send);
  MPI_Mprobe(left, tag, MPI_COMM_WORLD, &message, &status);
  for (int i = 0; i < moves; ++i) maybe_move();
  meet();
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  for (int i = 0; i < size; ++i) out[i] = -1;
  meet();
  MPI_Mrecv(in, size, MPI_INT, &message, &status);
  for (int i = 0; i < size; ++i) CHECK(in[i] == element(left, ways, size, i));
}

/// A persistent send is left to its receiver in one cycle and copied in the next.
static void persistent(int size) {
  static int out[most_ints];
  MPI_Request send;
  MPI_Send_init(out, size, MPI_INT, right, tag, MPI_COMM_WORLD, &send);
  for (int cycle = 0; cycle < 4; ++cycle) {
    fill(out, cycle, size);
    MPI_Start(&send);
    if (cycle % 2) {
      receive_from_left(cycle, size);
      meet();
      MPI_Wait(&send, MPI_STATUS_IGNORE);
    } else {
      MPI_Wait(&send, MPI_STATUS_IGNORE);
      for (int i = 0; i < size; ++i) out[i] = -1;
      meet();
      receive_from_left(cycle, size);
    }
  }
  MPI_Request_free(&send);
}

/// Short sends in a row keep their order, whichever of them were completed before the receives.
static void order(int size) {
  enum { count = 6 };
  static int out[count][most_ints];
  MPI_Request sends[count];
  for (int n = 0; n < count; ++n) {
    fill(out[n], n, size);
    MPI_Isend(out[n], size, MPI_INT, right, tag, MPI_COMM_WORLD, &sends[n]);
    if (n % 3 == 1) MPI_Wait(&sends[n], MPI_STATUS_IGNORE);
  }
  for (int n = 0; n < count; ++n) receive_from_left(n, size);
  MPI_Waitall(count, sends, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 2);
  right = (my_rank + 1) % rank_count;
  left = (my_rank + rank_count - 1) % rank_count;
  for (int round = 0; round < rounds; ++round) {
    for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); ++s) {
      for (int way = 0; way < ways; ++way)
        for (int moves = 0; moves < 3; ++moves) unreceived(way, sizes[s], moves);
      for (int moves = 0; moves < 3; ++moves) probed(sizes[s], moves);
      persistent(sizes[s]);
      order(sizes[s]);
    }
  }
  finish("short_sends");
  return 0;
}
