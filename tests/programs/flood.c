// SPDX-License-Identifier: Apache-2.0
// `flood EAGER_KIB`: senders that send on and on to a receiver who comes late, and the effect on the
// processes' memory. EAGER_KIB is the value of --eager-memory; two ranks and more. A flood is many times as
// much. The receiver looks for another message, again and again, before it takes the first one, so that other
// ranks run and all messages arrive; then it finds each message once, in order, whole.
//
// Ranks may rely on this, too: all ranks can send messages that fit in the eager memory before any is
// received.
#include <string.h>

#include "check.h"

enum {
  tag = 3,
  other_tag = 4,
  flood_bytes = 48 << 20,
  most_bytes = 8 << 10,
  looks = 300,
  message_room = 256
};

static long eager_bytes;

/// Returns the most memory that this process ever had.
static long peak_bytes(void) {
  FILE* const file = fopen("/proc/self/status", "r");
  CHECK(file);
  char line[256];
  long kib = -1;
  while (fgets(line, sizeof line, file)) sscanf(line, "VmHWM: %ld", &kib);
  fclose(file);
  CHECK(kib >= 0);
  return kib << 10;
}
static long peak_of_all(void) {
  long own = peak_bytes(), most;
  MPI_Allreduce(&own, &most, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

static void fill(unsigned char* data, int bytes, int number) {
  for (int i = 0; i < bytes && i < 16; ++i) data[i] = (unsigned char)(number >> (i % 3 * 8));
}
static void check(const unsigned char* data, int bytes, int number) {
  for (int i = 0; i < bytes && i < 16; ++i) CHECK(data[i] == (unsigned char)(number >> (i % 3 * 8)));
}

enum Way { blocking, waited_for, persistent, synchronous_once, ways };

static void send_all(int to, int count, int bytes, enum Way way) {
  static unsigned char data[2][most_bytes];
  MPI_Request request = MPI_REQUEST_NULL;
  if (way == persistent) MPI_Send_init(data[0], bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
  for (int n = 0; n < count; ++n) {
    fill(data[0], bytes, n);
    switch (way) {
      case blocking:
        MPI_Send(data[0], bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD);
        break;
      case waited_for:
        MPI_Isend(data[0], bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
      case persistent:
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
      default:
        if (n == count / 2)
          MPI_Ssend(data[0], bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD);
        else
          MPI_Send(data[0], bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD);
    }
  }
  if (way == persistent) MPI_Request_free(&request);
}

static void look_for_nothing(void) {
  for (int i = 0; i < looks; ++i) {
    int there;
    MPI_Iprobe(MPI_ANY_SOURCE, other_tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    CHECK(!there);
  }
}

/// Lets `senders` ranks, all except the receiver, send.
static void flood(int receiver, int senders, int bytes, enum Way way) {
  const int each = flood_bytes / (bytes + message_room) / senders;
  const int place = (my_rank - receiver - 1 + rank_count) % rank_count;
  if (my_rank == receiver) {
    static unsigned char data[most_bytes];
    int next[senders];
    memset(next, 0, sizeof next);
    look_for_nothing();
    for (int n = 0; n < each * senders; ++n) {
      MPI_Status status;
      int count;
      MPI_Recv(data, most_bytes, MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_BYTE, &count);
      const int from = (status.MPI_SOURCE - receiver - 1 + rank_count) % rank_count;
      CHECK(count == bytes && from < senders);
      check(data, bytes, next[from]++);
    }
  } else if (place < senders) {
    send_all(receiver, each, bytes, way);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// Sends from all ranks before any receives. Uses half of the eager memory, so that the rest suffices for
/// other messages.
static void rely_on_it(int bytes) {
  static unsigned char data[most_bytes];
  const int each = (int)(eager_bytes / 2 / (bytes + message_room) / rank_count);
  for (int n = 0; n < each; ++n)
    for (int to = 0; to < rank_count; ++to) {
      fill(data, bytes, n + to);
      MPI_Send(data, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD);
    }
  look_for_nothing();
  for (int from = 0; from < rank_count; ++from)
    for (int n = 0; n < each; ++n) {
      MPI_Recv(data, bytes, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      check(data, bytes, n + my_rank);
    }
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  CHECK(rank_count >= 2);
  eager_bytes = (long)number_argument(argc, argv, 1, 1024) << 10;
  static const int sizes[] = {0, 8, 255, 1024, most_bytes};
  MPI_Barrier(MPI_COMM_WORLD);
  const long before = peak_of_all();
  int round = 0;
  for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); ++s, ++round) {
    rely_on_it(sizes[s]);
    maybe_move();
    flood(round % rank_count, 1, sizes[s], (enum Way)(round % ways));
    maybe_move();
    flood((round + 1) % rank_count, rank_count - 1, sizes[s], (enum Way)((round + 1) % ways));
    maybe_move();
    rely_on_it(sizes[s]);
  }
  // The memory of each receiver in the process, messages that wait for the other PEs, and memory beside the
  // messages.
  const long allowed = rank_count * (eager_bytes + (1 << 20)) + (8 << 20);
  const long grown = peak_of_all() - before;
  if (grown > allowed) fprintf(stderr, "grown by %ld of %ld bytes\n", grown, allowed);
  CHECK(grown <= allowed);
  finish("flood");
  return 0;
}
