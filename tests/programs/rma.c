// SPDX-License-Identifier: Apache-2.0
// `rma [TRIES]`: operations on windows of every kind, under every way of synchronizing, while ranks move with
// windows open, compared with formulas; TRIES is the number of repeated attempts. Rank r's window has `cells`
// cells; cell c holds value(r, c) at first.
#include <stdint.h>
#include <string.h>

#include "check.h"

enum { cells = 3000, rounds = 4 };
static int tries = 20;

static long value(int rank, int cell) { return 1000003L * rank + cell; }
static int right(int distance) { return (my_rank + distance) % rank_count; }
static int left(int distance) { return ((my_rank - distance) % rank_count + rank_count) % rank_count; }

static void fill(long* memory) {
  for (int c = 0; c < cells; c++) memory[c] = value(my_rank, c);
}
static void barrier(void) { CHECK(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS); }

/// The displacement of cell 0 of each rank.
static MPI_Aint* displacements;

/// Puts into the right neighbour, gets from the left one, in blocks with gaps on both sides.
static void check_derived(MPI_Win win, long* memory) {
  MPI_Datatype odd, pairs;
  MPI_Type_vector(cells / 2, 1, 2, MPI_LONG, &odd);
  MPI_Type_commit(&odd);
  MPI_Type_vector(cells / 4, 2, 4, MPI_LONG, &pairs);
  MPI_Type_commit(&pairs);
  long* mine = malloc(cells * sizeof *mine);
  for (int c = 0; c < cells; c++) mine[c] = -value(my_rank, c);
  fill(memory);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  // My pairs go to the odd-placed cells of the neighbour; cell 2 i gets element i of the pairs.
  MPI_Put(mine, 1, pairs, right(1), displacements[right(1)], 1, odd, win);
  MPI_Win_fence(0, win);
  maybe_move();
  for (int i = 0; i < cells / 2; i++) {
    CHECK(memory[2 * i] == -value(left(1), i / 2 * 4 + i % 2));
    CHECK(memory[2 * i + 1] == value(my_rank, 2 * i + 1));
  }
  MPI_Win_fence(0, win);
  memset(mine, 0, cells * sizeof *mine);
  MPI_Get(mine, cells / 2, MPI_LONG, left(2), displacements[left(2)], 1, odd, win);
  MPI_Accumulate(&mine[cells - 1], 0, MPI_LONG, left(2), displacements[left(2)], 0, MPI_LONG, MPI_SUM, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  for (int i = 0; i < cells / 2; i++) CHECK(mine[i] == -value(left(3), i / 2 * 4 + i % 2));
  free(mine);
  MPI_Type_free(&odd);
  MPI_Type_free(&pairs);
}

/// Adds from every rank to all cells of every rank, with types with gaps at the target.
static void check_accumulate(MPI_Win win, long* memory) {
  MPI_Datatype halves;
  MPI_Type_create_hvector(cells / 2, 1, 2 * sizeof(long), MPI_LONG, &halves);
  MPI_Type_commit(&halves);
  long* mine = malloc(cells * sizeof *mine);
  fill(memory);
  MPI_Win_fence(0, win);
  for (int c = 0; c < cells; c++) mine[c] = my_rank + c;
  for (int r = 0; r < rank_count; r++) {
    MPI_Accumulate(mine, cells, MPI_LONG, r, displacements[r], cells, MPI_LONG, MPI_SUM, win);
    MPI_Accumulate(mine, cells / 2, MPI_LONG, r, displacements[r], 1, halves, MPI_SUM, win);
  }
  MPI_Win_fence(0, win);
  const long ranks = rank_count, sum = ranks * (ranks - 1) / 2;
  for (int c = 0; c < cells; c++)
    CHECK(memory[c] == value(my_rank, c) + sum + ranks * c + (c % 2 ? 0 : sum + ranks * (c / 2)));
  maybe_move();
  // The largest value of all ranks wins.
  MPI_Win_fence(0, win);
  long largest = 1L << 40 | my_rank;
  for (int r = 0; r < rank_count; r++)
    MPI_Accumulate(&largest, 1, MPI_LONG, r, displacements[r], 1, MPI_LONG, MPI_MAX, win);
  MPI_Win_fence(0, win);
  CHECK(memory[0] == (1L << 40 | (rank_count - 1)));
  free(mine);
  MPI_Type_free(&halves);
}

/// Draws tickets and swaps at rank 0, by all ranks, under locks: each result belongs to one rank alone.
static void check_atomics(MPI_Win win, long* memory) {
  const int each = tries;
  fill(memory);
  if (my_rank == 0) memory[0] = memory[1] = memory[2] = 0;
  barrier();
  char* seen = calloc((size_t)(each * rank_count), 1);
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < each; i++) {
    long ticket = -1;
    const long one = 1;
    MPI_Fetch_and_op(&one, &ticket, MPI_LONG, 0, displacements[0], MPI_SUM, win);
    MPI_Win_flush(0, win);
    CHECK(ticket >= 0 && ticket < (long)each * rank_count);
    CHECK(!seen[ticket]);
    seen[ticket] = 1;
    if (i == each / 2) maybe_move();  // in the epoch
    // An increment by compare and swap.
    long now = 0, expected;
    MPI_Fetch_and_op(NULL, &now, MPI_LONG, 0, displacements[0] + 1, MPI_NO_OP, win);
    MPI_Win_flush_local(0, win);
    do {
      expected = now;
      const long next = expected + 1;
      MPI_Compare_and_swap(&next, &expected, &now, MPI_LONG, 0, displacements[0] + 1, win);
      MPI_Win_flush_all(win);
    } while (now != expected);
  }
  MPI_Win_unlock_all(win);
  int all = 0;
  for (int i = 0; i < each * rank_count; i++) all += seen[i];
  CHECK(all == each);
  // An increment by an exclusive lock, get and put.
  for (int i = 0; i < 3; i++) {
    long now = -1;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Get(&now, 1, MPI_LONG, 0, displacements[0] + 2, 1, MPI_LONG, win);
    MPI_Win_flush(0, win);
    now++;
    MPI_Put(&now, 1, MPI_LONG, 0, displacements[0] + 2, 1, MPI_LONG, win);
    MPI_Win_unlock(0, win);
  }
  barrier();
  if (my_rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    CHECK(memory[0] == (long)each * rank_count);
    CHECK(memory[1] == (long)each * rank_count);
    CHECK(memory[2] == 3L * rank_count);
    MPI_Win_unlock(0, win);
  }
  free(seen);
  barrier();
}

/// Uses request forms, with everything under way at once.
static void check_requests(MPI_Win win, long* memory) {
  long *put = malloc(cells * sizeof *put), *got = malloc(cells * sizeof *got), before[3] = {0, 0, 0};
  const long add[3] = {10, 20, 30};
  fill(memory);
  barrier();
  for (int c = 0; c < cells; c++) put[c] = 7 * value(my_rank, c);
  MPI_Request requests[4];
  MPI_Win_lock_all(0, win);
  // Uses quarters of the neighbour: 0 for put, 1 for get, 2 for accumulate, 3 for accumulate with fetch.
  const int q = cells / 4, to = right(1);
  CHECK(MPI_Rput(put, q, MPI_LONG, to, displacements[to], q, MPI_LONG, win, &requests[0]) == MPI_SUCCESS);
  CHECK(MPI_Rget(got, q, MPI_LONG, to, displacements[to] + q, q, MPI_LONG, win, &requests[1]) == MPI_SUCCESS);
  CHECK(MPI_Raccumulate(put, q, MPI_LONG, to, displacements[to] + 2 * q, q, MPI_LONG, MPI_SUM, win,
                        &requests[2]) == MPI_SUCCESS);
  CHECK(MPI_Rget_accumulate(add, 3, MPI_LONG, before, 3, MPI_LONG, to, displacements[to] + 3 * q, 3, MPI_LONG,
                            MPI_SUM, win, &requests[3]) == MPI_SUCCESS);
  CHECK(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
  for (int i = 0; i < q; i++) CHECK(got[i] == value(to, q + i));
  for (int i = 0; i < 3; i++) CHECK(before[i] == value(to, 3 * q + i));
  CHECK(MPI_Rput(put, 1, MPI_LONG, MPI_PROC_NULL, 0, 1, MPI_LONG, win, &requests[0]) == MPI_SUCCESS);
  CHECK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE) == MPI_SUCCESS);
  maybe_move();
  MPI_Win_unlock_all(win);
  barrier();
  const int from = left(1);
  for (int i = 0; i < q; i++) {
    CHECK(memory[i] == 7 * value(from, i));
    CHECK(memory[q + i] == value(my_rank, q + i));
    CHECK(memory[2 * q + i] == value(my_rank, 2 * q + i) + 7 * value(from, i));
    CHECK(memory[3 * q + i] == value(my_rank, 3 * q + i) + (i < 3 ? add[i] : 0));
  }
  barrier();
  free(put);
  free(got);
}

/// Post, start, complete and wait with both neighbours.
static void check_pscw(MPI_Win win, long* memory) {
  const int both[2] = {left(1), right(1)};
  const int count = both[0] == both[1] ? 1 : 2;
  MPI_Group all, group;
  MPI_Win_get_group(win, &all);
  MPI_Group_incl(all, count, both, &group);
  fill(memory);
  for (int round = 0; round < 3; round++) {
    const long told[2] = {1000 * round + my_rank, 5};
    CHECK(MPI_Win_post(group, 0, win) == MPI_SUCCESS);
    if (round == 1) maybe_move();  // while it is exposed
    CHECK(MPI_Win_start(group, 0, win) == MPI_SUCCESS);
    for (int i = 0; i < count; i++) {
      // This rank is its right neighbour's left one, and writes cell 0 there; it writes cell 1 of its left
      // neighbour.
      const int cell = both[i] == right(1) && (count == 2 || my_rank == 0) ? 0 : 1;
      MPI_Put(told, 1, MPI_LONG, both[i], displacements[both[i]] + cell, 1, MPI_LONG, win);
      MPI_Accumulate(&told[1], 1, MPI_LONG, both[i], displacements[both[i]] + 2, 1, MPI_LONG, MPI_SUM, win);
    }
    CHECK(MPI_Win_complete(win) == MPI_SUCCESS);
    if (round == 2) {
      int over = 0;
      while (!over) CHECK(MPI_Win_test(win, &over) == MPI_SUCCESS);
    } else {
      CHECK(MPI_Win_wait(win) == MPI_SUCCESS);
    }
    if (count == 2) {
      CHECK(memory[0] == 1000 * round + left(1));
      CHECK(memory[1] == 1000 * round + right(1));
    }
    CHECK(memory[2] == value(my_rank, 2) + 5L * count * (round + 1));
  }
  MPI_Group_free(&group);
  MPI_Group_free(&all);
  barrier();
}

/// Pairs: the smallest value and who had it.
static void check_pairs(MPI_Win win, long* memory) {
  struct {
    double value;
    int where;
  } best = {1e9, -1}, mine = {100 - my_rank, my_rank};
  memset(memory, 0, 64);
  memcpy(memory, &best, sizeof best);
  MPI_Win_fence(0, win);
  MPI_Accumulate(&mine, 1, MPI_DOUBLE_INT, 0, displacements[0], 1, MPI_DOUBLE_INT, MPI_MINLOC, win);
  MPI_Win_fence(0, win);
  MPI_Get(&mine, 1, MPI_DOUBLE_INT, 0, displacements[0], 1, MPI_DOUBLE_INT, win);
  MPI_Win_fence(0, win);
  CHECK(mine.value == 100 - (rank_count - 1) && mine.where == rank_count - 1);
}

/// Large counts, and the answers of these functions for empty arguments.
static void check_large(MPI_Win win, long* memory) {
  long* mine = malloc(cells * sizeof *mine);
  long one = 1, got = 0;
  fill(memory);
  MPI_Win_fence(0, win);
  MPI_Get_c(mine, (MPI_Count)cells, MPI_LONG, right(1), displacements[right(1)], (MPI_Count)cells, MPI_LONG,
            win);
  MPI_Win_fence(0, win);
  for (int c = 0; c < cells; c++) CHECK(mine[c] == value(right(1), c));
  MPI_Put_c(mine, (MPI_Count)cells, MPI_LONG, right(1), displacements[right(1)], (MPI_Count)cells, MPI_LONG,
            win);
  MPI_Win_fence(0, win);
  MPI_Accumulate_c(&one, (MPI_Count)1, MPI_LONG, right(1), displacements[right(1)], (MPI_Count)1, MPI_LONG,
                   MPI_SUM, win);
  MPI_Get_accumulate_c(&one, (MPI_Count)1, MPI_LONG, &got, (MPI_Count)1, MPI_LONG, right(1),
                       displacements[right(1)] + 1, (MPI_Count)1, MPI_LONG, MPI_REPLACE, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  CHECK(got == value(right(1), 1));
  CHECK(memory[0] == value(my_rank, 0) + 1);
  CHECK(memory[1] == 1);
  barrier();
  MPI_Request r[4];
  MPI_Win_lock(MPI_LOCK_SHARED, right(1), MPI_MODE_NOCHECK, win);
  const MPI_Aint at = displacements[right(1)];
  MPI_Rput_c(&one, (MPI_Count)1, MPI_LONG, right(1), at + 2, (MPI_Count)1, MPI_LONG, win, &r[0]);
  MPI_Rget_c(mine, (MPI_Count)1, MPI_LONG, right(1), at + 3, (MPI_Count)1, MPI_LONG, win, &r[1]);
  MPI_Raccumulate_c(&one, (MPI_Count)1, MPI_LONG, right(1), at + 4, (MPI_Count)1, MPI_LONG, MPI_SUM, win,
                    &r[2]);
  MPI_Rget_accumulate_c(&one, (MPI_Count)1, MPI_LONG, &got, (MPI_Count)1, MPI_LONG, right(1), at + 5,
                        (MPI_Count)1, MPI_LONG, MPI_SUM, win, &r[3]);
  CHECK(MPI_Waitall(4, r, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
  MPI_Get_accumulate(&one, 1, MPI_LONG, &one, 1, MPI_LONG, MPI_PROC_NULL, 0, 1, MPI_LONG, MPI_SUM, win);
  CHECK(MPI_Win_flush_local_all(win) == MPI_SUCCESS);
  MPI_Win_unlock(right(1), win);
  CHECK(mine[0] == value(right(1), 3) && got == value(right(1), 5));
  barrier();
  CHECK(memory[2] == 1 && memory[4] == value(my_rank, 4) + 1 && memory[5] == value(my_rank, 5) + 1);
  free(mine);
  barrier();
}

/// A word goes around the ring; each rank watches its own memory until the word comes.
static void check_watching(MPI_Win win, long* memory) {
  volatile long* const word = memory;
  *word = -1;
  barrier();
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  for (long round = 0; round < 3; round++) {
    if (my_rank > 0 && round == 2) break;  // rank 0 ends the last round
    if (my_rank > 0 || round > 0)
      while (*word != round - (my_rank == 0)) CHECK(MPI_Win_sync(win) == MPI_SUCCESS);
    if (my_rank == 0 && round == 2) break;
    MPI_Put(&round, 1, MPI_LONG, right(1), displacements[right(1)], 1, MPI_LONG, win);
    MPI_Win_flush(right(1), win);
  }
  MPI_Win_unlock_all(win);
  barrier();
}

/// Loads in an epoch of MPI_Win_lock_all, while others change two words under an exclusive lock: the loads
/// see both or none.
static void check_exclusion(MPI_Win win, long* memory) {
  volatile long* const words = memory;
  words[0] = words[1] = 0;
  barrier();
  for (int i = 0; i < tries; i++) {
    long both[2] = {0, 0};
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right(1), 0, win);
    MPI_Get(both, 2, MPI_LONG, right(1), displacements[right(1)], 2, MPI_LONG, win);
    MPI_Win_flush(right(1), win);
    for (int k = 0; k < 2; k++) {
      both[k]++;
      MPI_Put(&both[k], 1, MPI_LONG, right(1), displacements[right(1)] + k, 1, MPI_LONG, win);
      MPI_Win_flush(right(1), win);
    }
    MPI_Win_unlock(right(1), win);
    MPI_Win_lock_all(0, win);
    CHECK(words[0] == words[1] && words[0] <= tries);
    MPI_Win_unlock_all(win);
  }
  barrier();
  CHECK(words[0] == tries && words[1] == tries);
  barrier();
}

static void check_all(MPI_Win win, long* memory) {
  check_derived(win, memory);
  check_accumulate(win, memory);
  check_atomics(win, memory);
  check_requests(win, memory);
  check_pscw(win, memory);
  check_pairs(win, memory);
  check_large(win, memory);
  check_watching(win, memory);
  check_exclusion(win, memory);
}

static long static_memory[cells];

int main(int argc, char** argv) {
  begin(&argc, &argv);
  tries = number_argument(argc, argv, 1, tries);
  displacements = calloc((size_t)rank_count, sizeof *displacements);
  const MPI_Aint bytes = cells * sizeof(long);
  const int unit = sizeof(long);
  MPI_Win win;

  // Memory of the program: static, and on the heap.
  for (int round = 0; round < 2; round++) {
    long* memory = round ? malloc((size_t)bytes) : static_memory;
    if (round)
      MPI_Win_create_c(memory, bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    else
      MPI_Win_create(memory, bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    maybe_move();
    check_all(win, memory);
    MPI_Win_free(&win);
    CHECK(win == MPI_WIN_NULL);
    if (round) free(memory);
  }

  long* memory = NULL;
  MPI_Win_allocate(bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  check_all(win, memory);
  MPI_Win_free(&win);
  MPI_Win_allocate_c(bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  fill(memory);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);

  // Dynamic windows have displacements that are addresses, in bytes.
  memory = malloc((size_t)bytes);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  // Two pieces side by side, which operations may cross.
  CHECK(MPI_Win_attach(win, memory, bytes / 2) == MPI_SUCCESS);
  CHECK(MPI_Win_attach(win, memory + cells / 2, bytes / 2) == MPI_SUCCESS);
  MPI_Aint address;
  MPI_Get_address(memory, &address);
  MPI_Aint* addresses = malloc((size_t)rank_count * sizeof *addresses);
  MPI_Allgather(&address, 1, MPI_AINT, addresses, 1, MPI_AINT, MPI_COMM_WORLD);
  fill(memory);
  for (int round = 0; round < rounds; round++) {
    maybe_move();
    long got[2] = {0, 0};
    const long put = 17 + my_rank + round, one = 1;
    MPI_Win_fence(0, win);
    MPI_Put(&put, 1, MPI_LONG, right(1), addresses[right(1)], 1, MPI_LONG, win);
    MPI_Accumulate(&one, 1, MPI_LONG, 0, addresses[0] + unit, 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Get(got, 2, MPI_LONG, left(1), addresses[left(1)], 2, MPI_LONG, win);
    MPI_Win_fence(0, win);
    CHECK(memory[0] == 17 + left(1) + round && got[0] == 17 + left(2) + round);
    MPI_Get(got, 2, MPI_LONG, left(1), addresses[left(1)] + bytes / 2 - unit, 2, MPI_LONG, win);
    MPI_Win_fence(0, win);
    CHECK(got[0] == value(left(1), cells / 2 - 1) && got[1] == value(left(1), cells / 2));
    if (my_rank == 0) CHECK(memory[1] == value(0, 1) + (long)rank_count * (round + 1));
  }
  CHECK(MPI_Win_detach(win, memory) == MPI_SUCCESS);
  CHECK(MPI_Win_detach(win, memory + cells / 2) == MPI_SUCCESS);
  MPI_Win_free(&win);
  free(addresses);
  free(memory);

  // Shared memory: plain loads and stores of others' memory.
  MPI_Comm near;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
  int near_rank, near_size;
  MPI_Comm_rank(near, &near_rank);
  MPI_Comm_size(near, &near_size);
  MPI_Win_allocate_shared(64 * sizeof(long), unit, MPI_INFO_NULL, near, &memory, &win);
  MPI_Win_fence(0, win);
  for (int round = 0; round < rounds; round++) {
    const int other = (near_rank + round) % near_size;
    MPI_Aint size;
    MPI_Aint large_unit;
    int its_unit;
    long *its_memory, *again;
    MPI_Win_shared_query(win, other, &size, &its_unit, &its_memory);
    MPI_Win_shared_query_c(win, other, &size, &large_unit, &again);
    CHECK(size == 64 * (MPI_Aint)sizeof(long) && its_unit == unit && large_unit == unit &&
          again == its_memory);
    CHECK(its_memory == memory + 64 * (other - near_rank));
    its_memory[round] = 100 * near_rank + round;
    MPI_Win_fence(0, win);
    maybe_move();
    CHECK(memory[round] == 100 * ((near_rank - round % near_size + near_size) % near_size) + round);
    MPI_Win_fence(0, win);
  }
  MPI_Win_lock_all(0, win);
  CHECK(MPI_Win_sync(win) == MPI_SUCCESS);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Win_allocate_shared_c(8, 1, MPI_INFO_NULL, near, &memory, &win);
  MPI_Win_free(&win);
  MPI_Comm_free(&near);

  free(displacements);
  finish("rma");
  return 0;
}
