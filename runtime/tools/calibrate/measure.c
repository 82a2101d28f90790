// SPDX-License-Identifier: Apache-2.0
// What `skein calibrate` runs as a job: measures what calls take, and prints a line for each measurement.
//
//   calibrate messages near|far  rank 0 and the first other one on its node, or on another: trips, sends and
//                                receives of messages of several sizes. "nodes NODES RANKS" says who is there
//   calibrate trips COUNT        so many trips of 64 bytes, and nothing else, to be recorded
//   calibrate steps COUNT BYTES  so many sync points, each rank with a heap of BYTES
//
// Lines are "kind bytes nanoseconds": the least of several batches, since what disturbs only adds.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { batches = 15, window = 16, largest = 1 << 20, eager_most = 8192 };

static char* buffer;
static int me, other;

static double now(void) { return MPI_Wtime() * 1e9; }

static void trip(int bytes) {
  if (me == 0) {
    MPI_Send(buffer, bytes, MPI_BYTE, other, 77, MPI_COMM_WORLD);
    MPI_Recv(buffer, bytes, MPI_BYTE, other, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(buffer, bytes, MPI_BYTE, 0, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(buffer, bytes, MPI_BYTE, 0, 77, MPI_COMM_WORLD);
  }
}

// One way, there and back over two.
static double one_way(int bytes) {
  const int trips = bytes > 65536 ? 10 : bytes > eager_most ? 50 : 300;
  double least = 1e30;
  for (int batch = 0; batch < batches; ++batch) {
    const double start = now();
    for (int i = 0; i < trips; ++i) trip(bytes);
    const double each = (now() - start) / (2 * trips);
    if (each < least) least = each;
  }
  return least;
}

// Without a call: what arrives meanwhile is not looked at.
static void compute(double ns) {
  static volatile double sink;
  const double end = now() + ns;
  while (now() < end)
    for (int i = 0; i < 100; ++i) sink = sink + 1;
}

// Of the sender and of the receiver, when all have arrived.
static void ends(int bytes, double* send, double* receive) {
  *send = *receive = 1e30;
  for (int batch = 0; batch < 4 * batches; ++batch) {
    char go = 0;
    if (me == 0) {
      MPI_Recv(&go, 1, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      const double start = now();
      for (int i = 0; i < window; ++i) MPI_Send(buffer, bytes, MPI_BYTE, other, 2, MPI_COMM_WORLD);
      const double each = (now() - start) / window;
      if (each < *send) *send = each;
      MPI_Send(&go, 1, MPI_BYTE, other, 3, MPI_COMM_WORLD);
    } else {
      MPI_Send(&go, 1, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
      compute(2e5);
      const double start = now();
      for (int i = 0; i < window; ++i)
        MPI_Recv(buffer, bytes, MPI_BYTE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      const double each = (now() - start) / window;
      if (each < *receive) *receive = each;
      MPI_Recv(&go, 1, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  // Rank 0 prints.
  if (me != 0)
    MPI_Send(receive, 1, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD);
  else
    MPI_Recv(receive, 1, MPI_DOUBLE, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void measure_messages(void) {
  for (int bytes = 0; bytes <= largest; bytes = bytes ? 4 * bytes : 32) {
    const double each = one_way(bytes);
    if (me == 0) printf("trip %d %.1f\n", bytes, each);
    if (bytes > eager_most) continue;
    double send, receive;
    ends(bytes, &send, &receive);
    if (me == 0) printf("send %d %.1f\nreceive %d %.1f\n", bytes, send, bytes, receive);
  }
}

// Sets `other`, 0 if there is none; says how many nodes there are.
static void choose_other(int on_this_node) {
  enum { length = MPI_MAX_PROCESSOR_NAME };
  int ranks, used;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char mine[length] = "";
  MPI_Get_processor_name(mine, &used);
  char* const names = calloc(ranks, length);
  MPI_Allgather(mine, length, MPI_BYTE, names, length, MPI_BYTE, MPI_COMM_WORLD);
  int nodes = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    int first = 0;
    while (strcmp(names + (size_t)first * length, names + (size_t)rank * length) != 0) ++first;
    if (first == rank) ++nodes;
    const int is_here = strcmp(names, names + (size_t)rank * length) == 0;
    if (other == 0 && rank > 0 && is_here == on_this_node) other = rank;
  }
  if (me == 0) printf("nodes %d %d\n", nodes, ranks);
  free(names);
}

static void make_trips(long count) {
  double start = 0;
  for (int i = 0; i < 100; ++i) trip(64);
  start = now();
  for (long i = 0; i < count; ++i) trip(64);
  if (me == 0) printf("trips %ld %.1f\n", count, now() - start);
}

static void make_steps(int count, size_t bytes) {
  char* const heap = malloc(bytes + 1);
  memset(heap, me, bytes + 1);
  for (int i = 0; i < count; ++i) {
    MPI_Migrate();
    // A rank that was handed over meets its pages anew: that is part of the price.
    for (size_t at = 0; at < bytes; at += 4096) ++*(volatile char*)(heap + at);
  }
  free(heap);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  const char* const what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "messages") == 0 && argc == 3) {
    buffer = calloc(1, largest);
    choose_other(strcmp(argv[2], "near") == 0);
    if (other != 0 && (me == 0 || me == other)) measure_messages();
  } else if (strcmp(what, "trips") == 0 && argc == 3) {
    buffer = calloc(1, 64);
    other = 1;
    make_trips(atol(argv[2]));
  } else if (strcmp(what, "steps") == 0 && argc == 4) {
    make_steps(atoi(argv[2]), (size_t)atoll(argv[3]));
  } else {
    if (me == 0) fprintf(stderr, "calibrate: run by skein calibrate\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  free(buffer);
  return MPI_Finalize();
}
