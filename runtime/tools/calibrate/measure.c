// SPDX-License-Identifier: Apache-2.0
// The program that `skein calibrate` runs as a job: measures what calls take, and prints a line for each
// measurement.
//
//   calibrate messages near|far  rank 0 and the first other one on its node, or on another: trips, sends and
//                                receives of messages of several sizes. "nodes NODES RANKS" gives their
//                                numbers
//   calibrate trips COUNT        so many trips of 64 bytes, and nothing else, to be recorded
//   calibrate steps COUNT BYTES  so many pairs of sync points, fewer where they take seconds, each rank with
//                                a heap of BYTES; run with an LB step at every other one
//   calibrate compute            a kernel on 1, 2, 4, up to all ranks at a time, while the others wait
//   calibrate mesh COUNT         so many sync points of ranks that exchange with their neighbours in a square
//
// Lines are "kind bytes nanoseconds": the least of several batches, since disturbances only add. Where PEs
// share cores, or the network is slow, there are fewer batches: no measurement takes long. The time of a step
// is the lower quartile of the times with a step minus that of the times without: between steps ranks go over
// their heaps as a program does, so that a step finds the caches full of other data. It is below zero if
// disturbances exceed the time of a step.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { batches = 15, least_batches = 3, window = 16, largest = 1 << 20, eager_most = 8192 };
enum { first_steps = 5, least_steps = 20 };
static const double batch_ns = 2e7, most_ns = 4e8, most_steps_ns = 3e9;

static struct {
  int me, other;  // ranks
  char* buffer;
} pair;

static double now(void) { return MPI_Wtime() * 1e9; }

static void trip(int bytes) {
  if (pair.me == 0) {
    MPI_Send(pair.buffer, bytes, MPI_BYTE, pair.other, 77, MPI_COMM_WORLD);
    MPI_Recv(pair.buffer, bytes, MPI_BYTE, pair.other, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(pair.buffer, bytes, MPI_BYTE, 0, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(pair.buffer, bytes, MPI_BYTE, 0, 77, MPI_COMM_WORLD);
  }
}

// Returns rank 0's value.
static int agreed(int count) {
  if (pair.me == 0)
    MPI_Send(&count, 1, MPI_INT, pair.other, 5, MPI_COMM_WORLD);
  else
    MPI_Recv(&count, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return count;
}

static int goes_on(int batch, int most, double begin) {
  return batch < least_batches || (batch < most && now() - begin < most_ns);
}

// Returns the one-way time: there and back over two.
static double one_way(int bytes) {
  const int most_trips = bytes > 65536 ? 10 : bytes > eager_most ? 50 : 300;
  const double begin = now();
  double least = 1e30;
  int trips = 1;
  for (int batch = 0; (trips = agreed(goes_on(batch, batches, begin) ? trips : 0)) > 0; ++batch) {
    const double start = now();
    for (int i = 0; i < trips; ++i) trip(bytes);
    const double each = (now() - start) / (2 * trips);
    if (each < least) least = each;
    const double fitting = batch_ns / (2 * each);
    trips = fitting > most_trips ? most_trips : fitting < 1 ? 1 : (int)fitting;
  }
  return least;
}

// Computes without a call: arriving messages are not looked at.
static void compute(double ns) {
  volatile double sink = 0;
  const double end = now() + ns;
  while (now() < end)
    for (int i = 0; i < 100; ++i) sink = sink + 1;
}

// Returns the times of the sender and the receiver, once all messages have arrived.
static void ends(int bytes, double* send, double* receive) {
  *send = *receive = 1e30;
  const double begin = now();
  for (int batch = 0; agreed(goes_on(batch, 4 * batches, begin)); ++batch) {
    char go = 0;
    if (pair.me == 0) {
      MPI_Recv(&go, 1, MPI_BYTE, pair.other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      const double start = now();
      for (int i = 0; i < window; ++i) MPI_Send(pair.buffer, bytes, MPI_BYTE, pair.other, 2, MPI_COMM_WORLD);
      const double each = (now() - start) / window;
      if (each < *send) *send = each;
      MPI_Send(&go, 1, MPI_BYTE, pair.other, 3, MPI_COMM_WORLD);
    } else {
      MPI_Send(&go, 1, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
      compute(2e5);
      const double start = now();
      for (int i = 0; i < window; ++i)
        MPI_Recv(pair.buffer, bytes, MPI_BYTE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      const double each = (now() - start) / window;
      if (each < *receive) *receive = each;
      MPI_Recv(&go, 1, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  // Rank 0 prints.
  if (pair.me != 0)
    MPI_Send(receive, 1, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD);
  else
    MPI_Recv(receive, 1, MPI_DOUBLE, pair.other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void measure_messages(void) {
  for (int bytes = 0; bytes <= largest; bytes = bytes ? 4 * bytes : 32) {
    const double each = one_way(bytes);
    if (pair.me == 0) printf("trip %d %.1f\n", bytes, each);
    if (bytes > eager_most) continue;
    double send, receive;
    ends(bytes, &send, &receive);
    if (pair.me == 0) printf("send %d %.1f\nreceive %d %.1f\n", bytes, send, bytes, receive);
  }
}

// Sets `pair.other`, 0 if there is none; prints how many nodes there are.
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
    if (pair.other == 0 && rank > 0 && is_here == on_this_node) pair.other = rank;
  }
  if (pair.me == 0) printf("nodes %d %d\n", nodes, ranks);
  free(names);
}

static void make_trips(long count) {
  double start = 0;
  for (int i = 0; i < 100; ++i) trip(64);
  start = now();
  for (long i = 0; i < count; ++i) trip(64);
  if (pair.me == 0) printf("trips %ld %.1f\n", count, now() - start);
}

static int in_order(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double lower_quartile(double* times, int count) {
  qsort(times, count, sizeof *times, in_order);
  return times[count / 4];
}

// Returns the time from sync point to sync point, with the cost for a handed-over rank of meeting its pages
// again.
static double point_ns(volatile char* heap, size_t bytes) {
  enum { cache_line = 64 };
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = now();
  MPI_Migrate();
  for (size_t at = 0; at < bytes; at += cache_line) ++heap[at];
  MPI_Barrier(MPI_COMM_WORLD);
  return now() - start;
}

static void make_steps(int count, size_t bytes) {
  char* const heap = malloc(bytes + 1);
  memset(heap, pair.me, bytes + 1);
  double* const without = malloc(2 * count * sizeof *without);
  double* const with = without + count;
  const double begin = now();
  for (int i = 0; i < count; ++i) {
    if (i == first_steps) {
      const double fitting = most_steps_ns / ((now() - begin) / first_steps);
      if (fitting < count) count = fitting < least_steps ? least_steps : (int)fitting;
      MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    without[i] = point_ns(heap, bytes);
    with[i] = point_ns(heap, bytes);
  }
  // The first steps meet memory for the first time.
  const int counted = count - first_steps;
  if (pair.me == 0)
    printf("step %zu %.1f\n", bytes,
           lower_quartile(with + first_steps, counted) - lower_quartile(without + first_steps, counted));
  free(without);
  free(heap);
}

// Makes a step of heat in a box, on two grids of 4 MiB each: as much memory as programs on grids use, which
// is more than a core's own caches hold.
enum { side = 80 };
typedef double Grid[side][side][side];

static void diffuse(Grid from, Grid to) {
  for (int i = 1; i < side - 1; ++i)
    for (int j = 1; j < side - 1; ++j)
      for (int k = 1; k < side - 1; ++k)
        to[i][j][k] = 0.4 * from[i][j][k] + 0.1 * (from[i - 1][j][k] + from[i + 1][j][k] + from[i][j - 1][k] +
                                                   from[i][j + 1][k] + from[i][j][k - 1] + from[i][j][k + 1]);
}

// Returns the mean time of a step while so many of the ranks make steps for some time. The others wait, like
// ranks that have nothing to compute.
static double step_among(int computing, Grid* grids) {
  const double time_ns = 3e7;
  double mine = 0, sum = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (pair.me < computing) {
    long steps = 0;
    const double start = now();
    for (; now() - start < time_ns; steps += 2) {
      diffuse(grids[0], grids[1]);
      diffuse(grids[1], grids[0]);
    }
    mine = (now() - start) / steps;
  }
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum / computing;
}

// Prints lines "compute ranks nanoseconds", in several rounds.
static void measure_computing(void) {
  enum { rounds = 9 };
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Grid* const grids = calloc(2, sizeof *grids);
  (void)step_among(ranks, grids);  // meets memory for the first time
  for (int round = 0; round < rounds; ++round)
    for (int computing = 1;; computing = 2 * computing < ranks ? 2 * computing : ranks) {
      const double each = step_among(computing, grids);
      if (pair.me == 0) printf("compute %d %.1f\n", computing, each);
      if (computing == ranks) break;
    }
  free(grids);
}

// Makes the input of strategies that decide together: ranks at places in a plane, and messages between
// neighbours.
static void make_mesh(int count) {
  int ranks, shape[2] = {0, 0};
  const int ends[2] = {0, 0};
  MPI_Comm square;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, shape);
  MPI_Cart_create(MPI_COMM_WORLD, 2, shape, ends, 0, &square);
  char out[64] = "", in[sizeof out];
  for (int i = 0; i < count; ++i) {
    for (int way = 0; way < 4; ++way) {
      int from, to;
      MPI_Cart_shift(square, way / 2, way % 2 ? 1 : -1, &from, &to);
      MPI_Sendrecv(out, sizeof out, MPI_BYTE, to, 6, in, sizeof in, MPI_BYTE, from, 6, square,
                   MPI_STATUS_IGNORE);
    }
    compute(1e3);
    MPI_Migrate();
  }
  MPI_Comm_free(&square);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &pair.me);
  const char* const what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "messages") == 0 && argc == 3) {
    pair.buffer = calloc(1, largest);
    choose_other(strcmp(argv[2], "near") == 0);
    if (pair.other != 0 && (pair.me == 0 || pair.me == pair.other)) measure_messages();
  } else if (strcmp(what, "trips") == 0 && argc == 3) {
    pair.buffer = calloc(1, 64);
    pair.other = 1;
    make_trips(atol(argv[2]));
  } else if (strcmp(what, "steps") == 0 && argc == 4) {
    make_steps(atoi(argv[2]), (size_t)atoll(argv[3]));
  } else if (strcmp(what, "compute") == 0 && argc == 2) {
    measure_computing();
  } else if (strcmp(what, "mesh") == 0 && argc == 3) {
    make_mesh(atoi(argv[2]));
  } else {
    if (pair.me == 0) fprintf(stderr, "calibrate: run by skein calibrate\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  free(pair.buffer);
  return MPI_Finalize();
}
