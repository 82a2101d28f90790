// SPDX-License-Identifier: Apache-2.0
// Short blocking collectives on many communicators of ranks that share PEs, between moves: `exchanged
// [ROUNDS]`. Communicators of the world's ranks in other orders, of two in three, and of pairs of halves, are
// made and freed in every round, some of them before others of their members are through with the last call
// on them. Members compute for unlike times, so that now these and now those come last; rooted collectives
// follow each other without any that all wait in. Values are a function of call, rank and index.
#include <string.h>

#include "check.h"

enum { comms = 12, calls = 20, longest = 2000 };

static unsigned long seed;
/// The same on all ranks.
static int draw(int below) {
  seed = seed * 6364136223846793005UL + 1442695040888963407UL;
  return (int)((seed >> 33) % (unsigned long)below);
}

/// Takes this rank up to some microseconds, unlike others.
static void dawdle(int call) {
  const int turns = my_rank * 31 % (call % 7 + 2) * 200;
  for (volatile int i = 0; i < turns; ++i) {
  }
}

static long in[longest], out[longest];

static long sum_of_ranks(long size) { return size * (size - 1) / 2; }

static void allreduce(MPI_Comm comm, int rank, int size, int count, int call) {
  for (int i = 0; i < count; ++i) in[i] = rank * 3 + call + i, out[i] = -1;
  MPI_Allreduce(in, out, count, MPI_LONG, MPI_SUM, comm);
  for (int i = 0; i < count; ++i) CHECK(out[i] == 3 * sum_of_ranks(size) + (long)size * (call + i));
}

static void reduce(MPI_Comm comm, int rank, int size, int count, int call) {
  const int root = call % size;
  for (int i = 0; i < count; ++i) in[i] = rank == (call + i) % size ? call + i : -rank, out[i] = -1;
  MPI_Reduce(in, out, count, MPI_LONG, MPI_MAX, root, comm);
  for (int i = 0; i < count; ++i) CHECK(out[i] == (rank == root ? call + i : -1));
}

static void bcast(MPI_Comm comm, int rank, int size, int count, int call) {
  const int root = call % size;
  for (int i = 0; i < count; ++i) in[i] = rank == root ? call * 7 + i : -1;
  MPI_Bcast(in, count, MPI_LONG, root, comm);
  for (int i = 0; i < count; ++i) CHECK(in[i] == call * 7 + i);
}

/// Nobody leaves a barrier before all have come: each tells that it has by a word in the memory of the first.
static void barrier(MPI_Comm comm, MPI_Win window, int size, int call) {
  const long one = 1;
  long came = -1;
  MPI_Accumulate(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, window);
  MPI_Win_flush(0, window);
  MPI_Barrier(comm);
  MPI_Get(&came, 1, MPI_LONG, 0, 0, 1, MPI_LONG, window);
  MPI_Win_flush(0, window);
  CHECK(came >= (long)size * (call + 1));
}

static void use(MPI_Comm comm, int round) {
  static const int counts[] = {1, 5, 62, 63, 300, 1024, 1025, longest};
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int k = 0; k < calls; ++k) {
    const int kind = draw(8), count = kind % 2 ? 1 : counts[draw(8)];
    dawdle(k + round);
    if (kind < 3) allreduce(comm, rank, size, count, k + round);
    if (kind >= 3 && kind < 5) reduce(comm, rank, size, count, k + round);
    if (kind >= 5 && kind < 7) bcast(comm, rank, size, count, k + round);
    if (kind == 7) MPI_Barrier(comm);
  }
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 3);
  static MPI_Comm kept;  // across moves
  MPI_Comm_dup(MPI_COMM_WORLD, &kept);
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm some[comms];
    for (int i = 0; i < comms; ++i) {
      seed = (unsigned long)(round * comms + i + 1);
      const int colour = i % 3 == 0 ? 0 : i % 3 == 1 ? (my_rank + i) % 3 / 2 : my_rank % 2;
      if (i % 4 == 3)
        MPI_Comm_dup(kept, &some[i]);
      else
        MPI_Comm_split(MPI_COMM_WORLD, colour, my_rank * (i + 5) % 11, &some[i]);
      use(some[i], round);
    }
    maybe_move();
    // All exist at once, and each has been used on other PEs before.
    for (int i = 0; i < comms; ++i) {
      seed = (unsigned long)(round * comms + i + 1000);
      use(some[i], round + 1);
      if (i % 2) MPI_Comm_free(&some[i]);
    }
    use(kept, round);
    maybe_move();
    use(kept, round);
    for (int i = 0; i < comms; i += 2) MPI_Comm_free(&some[i]);
  }
  long* word;
  MPI_Win window;
  MPI_Win_allocate(sizeof *word, sizeof *word, MPI_INFO_NULL, kept, &word, &window);
  *word = 0;
  MPI_Barrier(kept);
  MPI_Win_lock_all(0, window);
  for (int k = 0; k < calls; ++k) {
    dawdle(k);
    barrier(kept, window, rank_count, k);
  }
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Comm_free(&kept);
  finish("exchanged");
  return 0;
}
