// SPDX-License-Identifier: Apache-2.0
// One measurement of MPI, the same source for any MPI: `mpi_bench WHAT [SIZE]` prints one number. Of several
// batches the fastest counts: what else the machine does can only slow one down. No global variable is
// written: not every MPI that runs ranks as threads gives each its own.
//
// clang-format off
//   pingpong BYTES   one way between ranks 0 and 1, ns
//   barrier          a barrier, ns for each rank in it
//   allreduce BYTES  an allreduce of doubles, ns
//   alltoall BYTES   an alltoall with so many for each pair, ns
//   halo BYTES       each rank exchanges with both neighbours of a ring, ns for each message of all ranks together
//   persistent BYTES the same with persistent requests
//   rate BYTES       the first half of the ranks sends to the second, 64 nonblocking messages before an answer, ns
//                    for each message of all ranks together
//   probe            MPI_Iprobe that finds nothing, called by two ranks in turn, ns a call
//   start            from MPI_Init's return to the end of a barrier, ns
//   enter SECONDS    from that time, in seconds since 1970, until the last rank has entered main, ns
//   memory           what this process holds after a barrier (its share of pages, and page tables), KiB
//   move MIB         with MIB touched, 200 moves: under Skein of all ranks, at sync points; under AMPI of rank 0,
//                    forth and back; ns a move
//   memcpy BYTES     one memcpy, ns
// clang-format on
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { batches = 7 };

typedef struct {
  int rank, ranks;
} Place;

static double least_of(double a, double b) { return a < b ? a : b; }

static double pingpong(Place me, size_t bytes) {
  char* const data = malloc(bytes);
  memset(data, 1, bytes);
  const int rounds = bytes < 4096 ? 20000 : 400;
  double best = 1e9;
  for (int batch = 0; batch < batches; ++batch) {
    const double start = MPI_Wtime();
    for (int i = 0; i < rounds && me.rank < 2; ++i) {
      if (me.rank == 0) MPI_Send(data, (int)bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(data, (int)bytes, MPI_BYTE, 1 - me.rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (me.rank == 1) MPI_Send(data, (int)bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    best = least_of(best, (MPI_Wtime() - start) / (2.0 * rounds));
  }
  free(data);
  return best * 1e9;
}

static double barrier(Place me) {
  const int rounds = 2000;
  double best = 1e9;
  for (int batch = 0; batch < batches; ++batch) {
    const double start = MPI_Wtime();
    for (int i = 0; i < rounds; ++i) MPI_Barrier(MPI_COMM_WORLD);
    best = least_of(best, (MPI_Wtime() - start) / rounds / me.ranks);
  }
  return best * 1e9;
}

/// Returns how many calls of such a cost a batch makes.
static int rounds_of(Place me, size_t bytes) {
  const double work = (double)bytes * me.ranks;
  return work < 1e5 ? 2000 : work < 1e7 ? 100 : 10;
}

static double allreduce(Place me, size_t bytes) {
  const int rounds = rounds_of(me, bytes), count = (int)(bytes / sizeof(double));
  double* const data = calloc(2, bytes);
  double best = 1e9;
  for (int batch = 0; batch < batches; ++batch) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < rounds; ++i)
      MPI_Allreduce(data, data + count, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    best = least_of(best, (MPI_Wtime() - start) / rounds);
  }
  free(data);
  return best * 1e9;
}

static double alltoall(Place me, size_t bytes) {
  const int rounds = rounds_of(me, bytes * me.ranks);
  char* const data = calloc(2 * me.ranks, bytes);
  double best = 1e9;
  for (int batch = 0; batch < batches; ++batch) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < rounds; ++i)
      MPI_Alltoall(data, (int)bytes, MPI_BYTE, data + me.ranks * bytes, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
    best = least_of(best, (MPI_Wtime() - start) / rounds);
  }
  free(data);
  return best * 1e9;
}

static double halo(Place me, size_t bytes) {
  const int rounds = 500, left = (me.rank + me.ranks - 1) % me.ranks, right = (me.rank + 1) % me.ranks;
  char* const data = malloc(4 * bytes);
  memset(data, 1, 4 * bytes);
  double best = 1e9;
  for (int batch = 0; batch < batches; ++batch) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < rounds; ++i) {
      MPI_Request requests[4];
      MPI_Irecv(data, (int)bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, &requests[0]);
      MPI_Irecv(data + bytes, (int)bytes, MPI_BYTE, right, 1, MPI_COMM_WORLD, &requests[1]);
      MPI_Isend(data + 2 * bytes, (int)bytes, MPI_BYTE, right, 0, MPI_COMM_WORLD, &requests[2]);
      MPI_Isend(data + 3 * bytes, (int)bytes, MPI_BYTE, left, 1, MPI_COMM_WORLD, &requests[3]);
      MPI_Status statuses[4]; /* GCC takes one MPI's MPI_STATUSES_IGNORE for an array without elements */
      MPI_Waitall(4, requests, statuses);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    best = least_of(best, (MPI_Wtime() - start) / rounds / (2.0 * me.ranks));
  }
  free(data);
  return best * 1e9;
}

static double persistent(Place me, size_t bytes) {
  const int rounds = 500, left = (me.rank + me.ranks - 1) % me.ranks, right = (me.rank + 1) % me.ranks;
  char* const data = malloc(4 * bytes);
  memset(data, 1, 4 * bytes);
  double best = 1e9;
  MPI_Request requests[4];
  MPI_Recv_init(data, (int)bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(data + bytes, (int)bytes, MPI_BYTE, right, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Send_init(data + 2 * bytes, (int)bytes, MPI_BYTE, right, 0, MPI_COMM_WORLD, &requests[2]);
  MPI_Send_init(data + 3 * bytes, (int)bytes, MPI_BYTE, left, 1, MPI_COMM_WORLD, &requests[3]);
  for (int batch = 0; batch < batches; ++batch) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < rounds; ++i) {
      MPI_Status statuses[4];
      MPI_Startall(4, requests);
      MPI_Waitall(4, requests, statuses);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    best = least_of(best, (MPI_Wtime() - start) / rounds / (2.0 * me.ranks));
  }
  for (int i = 0; i < 4; ++i) MPI_Request_free(&requests[i]);
  free(data);
  return best * 1e9;
}

static double rate(Place me, size_t bytes) {
  enum { window = 64 };
  const int rounds = 200, half = me.ranks / 2, sends = me.rank < half;
  const int partner = sends ? me.rank + half : me.rank - half;
  char* const data = malloc(window * bytes);
  memset(data, 1, window * bytes);
  double best = 1e9;
  for (int batch = 0; batch < batches; ++batch) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < rounds && partner < 2 * half; ++i) {
      MPI_Request requests[window];
      MPI_Status statuses[window];
      for (int m = 0; m < window; ++m)
        if (sends)
          MPI_Isend(data + m * bytes, (int)bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD, &requests[m]);
        else
          MPI_Irecv(data + m * bytes, (int)bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD, &requests[m]);
      MPI_Waitall(window, requests, statuses);
      if (sends)
        MPI_Recv(data, 1, MPI_BYTE, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      else
        MPI_Send(data, 1, MPI_BYTE, partner, 1, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    best = least_of(best, (MPI_Wtime() - start) / rounds / window / half);
  }
  free(data);
  return best * 1e9;
}

static double probe(Place me) {
  const int calls = 100000;
  double best = 1e9;
  for (int batch = 0; batch < batches; ++batch) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    int flag;
    for (int i = 0; i < calls; ++i) MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    best = least_of(best, (MPI_Wtime() - start) / calls / me.ranks);
  }
  return best * 1e9;
}

static double start_up(void) {
  const double start = MPI_Wtime();
  MPI_Barrier(MPI_COMM_WORLD);
  return (MPI_Wtime() - start) * 1e9;
}

static double seconds_since_1970(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double enter(double entered, double started) {
  double last = entered;
  MPI_Barrier(
      MPI_COMM_WORLD);  // cheap to enter: the figure includes calls of ranks before others are in main
  MPI_Reduce(&entered, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return (last - started) * 1e9;
}

/// Returns the number behind `key` in one of this process's files, in KiB.
static double kib_of(const char* file, const char* key) {
  char line[256];
  double kib = 0;
  FILE* const in = fopen(file, "r");
  if (!in) return -1;
  while (fgets(line, sizeof line, in))
    if (strncmp(line, key, strlen(key)) == 0) kib = atof(line + strlen(key));
  fclose(in);
  return kib;
}

static double memory(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  return kib_of("/proc/self/smaps_rollup", "Pss:") + kib_of("/proc/self/status", "VmPTE:");
}

static double move(Place me, size_t mib) {
#if defined SKEIN_MPI || defined AMPI
  const int moves = 200;
  char* const data = malloc((mib << 20) + 1);
  memset(data, 1, mib << 20);
  __asm__ volatile("" : : "r"(data) : "memory");  // or the compiler leaves the block out
  const double start = MPI_Wtime();
#ifdef SKEIN_MPI
  (void)me;
  for (int i = 0; i < moves; ++i) MPI_Migrate();
#else
  if (me.rank == 0)
    for (int i = 0; i < moves; ++i) AMPI_Migrate_to_pe(1 - i % 2);
#endif
  const double each = (MPI_Wtime() - start) / moves;
  free(data);
  return each * 1e9;
#else
  (void)me, (void)mib;
  fprintf(stderr, "mpi_bench: this MPI moves no ranks\n");
  exit(2);
#endif
}

// Copies forth and back, as pingpong() measures messages; returns the mean of a batch.
static double copy(size_t bytes) {
  char *const from = malloc(bytes), *const to = malloc(bytes);
  memset(from, 1, bytes);
  memset(to, 2, bytes);
  const int rounds = 400;
  double best = 1e9;
  for (int batch = 0; batch < batches; ++batch) {
    const double start = MPI_Wtime();
    for (int i = 0; i < rounds; ++i) {
      memcpy(to, from, bytes);
      __asm__ volatile("" : : "r"(to) : "memory");
      memcpy(from, to, bytes);
      __asm__ volatile("" : : "r"(from) : "memory");
    }
    best = least_of(best, (MPI_Wtime() - start) / (2.0 * rounds));
  }
  free(from);
  free(to);
  return best * 1e9;
}

int main(int argc, char** argv) {
  const double entered = seconds_since_1970();
  MPI_Init(&argc, &argv);
  Place me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &me.ranks);
  const char* const what = argc > 1 ? argv[1] : "";
  const size_t size = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
  double result = -1;
  if (!strcmp(what, "pingpong") && me.ranks >= 2) result = pingpong(me, size);
  if (!strcmp(what, "barrier")) result = barrier(me);
  if (!strcmp(what, "allreduce")) result = allreduce(me, size);
  if (!strcmp(what, "alltoall")) result = alltoall(me, size);
  if (!strcmp(what, "halo")) result = halo(me, size);
  if (!strcmp(what, "persistent")) result = persistent(me, size);
  if (!strcmp(what, "rate") && me.ranks >= 2) result = rate(me, size);
  if (!strcmp(what, "probe")) result = probe(me);
  if (!strcmp(what, "start")) result = start_up();
  if (!strcmp(what, "enter")) result = enter(entered, argc > 2 ? strtod(argv[2], NULL) : 0);
  if (!strcmp(what, "memory")) result = memory();
  if (!strcmp(what, "move")) result = move(me, size);
  if (!strcmp(what, "memcpy")) result = copy(size);
  if (result < 0 && me.rank == 0)
    fprintf(stderr, "mpi_bench: unknown measurement, or too few ranks: %s\n", what);
  if (me.rank == 0 && result >= 0) printf("%.1f\n", result);  // AMPI's MPI_Finalize does not return
  MPI_Finalize();
  return result < 0;
}
