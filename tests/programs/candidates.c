// SPDX-License-Identifier: Apache-2.0
// `candidates SHAPE STEPS [MICROSECONDS]`: STEPS steps in which the lower half of the ranks computes for four
// times as long as the upper half, and then all exchange something, as SHAPE says. Prints what comes of it,
// which depends on neither places nor times.
//
//   world     a reduction over the world
//   others    collectives on a duplicate, a grid and a reordered split of the world in turn, and a
//             nonblocking one meanwhile
//   inter     reductions over both sides of an intercommunicator of the halves, and sometimes over the world
//   ahead     a broadcast from rank 0, which hears of nobody before the end
//   halves    reductions within the halves only
//   halos     messages to both neighbours only
//   begun     likewise, after a few reductions over the world
//   waits     messages to both neighbours, in a step in each of the ways in which one can wait for them
//   mixed     likewise, and sometimes a reduction within the halves
//   given     a broadcast in each pair of a rank and the one half the world above; in every other pair the
//             root waits for a message after it, and the other rank for one before it, of a
//             pair that sends many
//   rendezvous  long messages to both neighbours, and a nonblocking reduction over the world meanwhile
//   short     eight reductions one after the other
//   failing   a gathering that its root has too little room for, then a reduction over the world
//   late      as world; the ranks end one after the other
//   own       three barriers before the steps; a reduction and MPI_Migrate()
//   turns     as world; MPI_Migrate() in the second half of the steps
//
// MPI_Migrate() is called, and referred to, where this is compiled with -DMIGRATES.
#include <string.h>

#include "compute.h"

static unsigned long long mix(unsigned long long x) {
  return x * 6364136223846793005ull + 1442695040888963407ull;
}

static unsigned long long sum_over(MPI_Comm comm, unsigned long long mine) {
  unsigned long long all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, comm);
  return all;
}

static unsigned long long from_first(MPI_Comm comm, unsigned long long mine) {
  MPI_Bcast(&mine, 1, MPI_UNSIGNED_LONG_LONG, 0, comm);
  return mine;
}

static MPI_Comm duplicate, grid, reversed, half, inter, pair;

static void make_communicators(void) {
  int dims[2] = {0, 0};
  const int periods[2] = {1, 1};
  MPI_Dims_create(rank_count, 2, dims);
  MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -my_rank, &reversed);
  const int upper = my_rank >= rank_count / 2;
  MPI_Comm_split(MPI_COMM_WORLD, upper, my_rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : rank_count / 2, 7, &inter);
  MPI_Comm_split(MPI_COMM_WORLD, my_rank % (rank_count / 2), my_rank, &pair);
}

static void free_communicators(void) {
  MPI_Comm* const all[] = {&duplicate, &grid, &reversed, &half, &inter, &pair};
  for (int i = 0; i < 6; ++i) MPI_Comm_free(all[i]);
}

static unsigned long long on_others(long step, unsigned long long mine) {
  unsigned long long all = 0;
  MPI_Request later;
  MPI_Iallreduce(&mine, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, reversed, &later);
  unsigned long long now = 0;
  if (step % 3 == 0) now = sum_over(duplicate, mine);
  if (step % 3 == 1) now = from_first(grid, mine);
  if (step % 3 == 2) MPI_Barrier(reversed);
  MPI_Wait(&later, MPI_STATUS_IGNORE);
  return now + all;
}

static unsigned long long with_neighbours(unsigned long long mine) {
  unsigned long long in[2] = {0, 0};
  MPI_Request requests[4];
  for (int side = 0; side < 2; ++side) {
    const int neighbour = (my_rank + (side ? 1 : rank_count - 1)) % rank_count;
    MPI_Irecv(&in[side], 1, MPI_UNSIGNED_LONG_LONG, neighbour, side, MPI_COMM_WORLD, &requests[2 * side]);
    MPI_Isend(&mine, 1, MPI_UNSIGNED_LONG_LONG, neighbour, !side, MPI_COMM_WORLD, &requests[2 * side + 1]);
  }
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  return in[0] + 3 * in[1];
}

// Exchanges messages with both neighbours, and waits for them in one of six ways.
static unsigned long long in_one_way(int way, unsigned long long mine) {
  enum { most = 3000 };
  static unsigned long long in[2][most], out[most];
  const int count = way == 4 ? most : 1, right = (my_rank + 1) % rank_count,
            left = (my_rank + rank_count - 1) % rank_count;
  for (int i = 0; i < count; ++i) out[i] = mine + (unsigned long long)i;
  MPI_Request requests[4];
  int flag = 0, index = 0;
  if (way == 0) {
    MPI_Sendrecv(out, 1, MPI_UNSIGNED_LONG_LONG, right, 0, in[0], 1, MPI_UNSIGNED_LONG_LONG, left, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, 1, MPI_UNSIGNED_LONG_LONG, left, 1, in[1], 1, MPI_UNSIGNED_LONG_LONG, right, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return in[0][0] + 3 * in[1][0];
  }
  if (way == 1) {
    for (int turn = 0; turn < 2; ++turn)
      if (turn == my_rank % 2) {
        MPI_Ssend(out, 1, MPI_UNSIGNED_LONG_LONG, right, 0, MPI_COMM_WORLD);
        MPI_Ssend(out, 1, MPI_UNSIGNED_LONG_LONG, left, 1, MPI_COMM_WORLD);
      } else {
        MPI_Recv(in[0], 1, MPI_UNSIGNED_LONG_LONG, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Status status;
        MPI_Probe(right, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Recv(in[1], 1, MPI_UNSIGNED_LONG_LONG, right, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    return in[0][0] + 3 * in[1][0];
  }
  MPI_Irecv(in[0], count, MPI_UNSIGNED_LONG_LONG, left, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(in[1], count, MPI_UNSIGNED_LONG_LONG, right, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(out, count, MPI_UNSIGNED_LONG_LONG, right, 0, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(out, count, MPI_UNSIGNED_LONG_LONG, left, 1, MPI_COMM_WORLD, &requests[3]);
  if (way == 2)
    for (int i = 0; i < 4; ++i) MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
  while (way == 3 && !flag) MPI_Testall(4, requests, &flag, MPI_STATUSES_IGNORE);
  if (way == 4) MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  for (int i = 3; i >= 0 && way == 5; --i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  unsigned long long sum = 0;
  for (int i = 0; i < count; ++i) sum += in[0][i] + 3 * in[1][i];
  return sum;
}

static unsigned long long in_all_ways(unsigned long long mine) {
  unsigned long long sum = 0;
  for (int way = 0; way < 6; ++way) sum = mix(sum + in_one_way(way, mine));
  return sum;
}

static unsigned long long with_long_ones(unsigned long long mine) {
  unsigned long long all = 0;
  MPI_Request later;
  MPI_Iallreduce(&mine, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD, &later);
  const unsigned long long here = in_one_way(4, mine);
  MPI_Wait(&later, MPI_STATUS_IGNORE);
  return here + all;
}

static unsigned long long given_before_it_is_awaited(long step, unsigned long long mine) {
  const int upper = my_rank >= rank_count / 2, number = my_rank % (rank_count / 2), odd = number % 2;
  const int beside = odd ? my_rank - 1 : my_rank + 1, many = 50;
  int token = 0;
  if (odd == step % 2) {
    for (int i = 0; i < many; ++i)
      MPI_Sendrecv_replace(&token, 1, MPI_INT, !upper, 0, !upper, 0, pair, MPI_STATUS_IGNORE);
    MPI_Send(&token, 1, MPI_INT, beside, 1, MPI_COMM_WORLD);
    return from_first(pair, mine);
  }
  if (upper) MPI_Recv(&token, 1, MPI_INT, beside, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const unsigned long long given = from_first(pair, mine);
  if (!upper) MPI_Recv(&token, 1, MPI_INT, beside, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return given;
}

static unsigned long long with_failures(unsigned long long mine) {
  unsigned long long two[2] = {mine, mine}, all[1024];
  MPI_Comm_set_errhandler(duplicate, MPI_ERRORS_RETURN);
  const int error = MPI_Gather(two, 2, MPI_UNSIGNED_LONG_LONG, all, 1, MPI_UNSIGNED_LONG_LONG, 0, duplicate);
  CHECK((my_rank == 0) == (error != MPI_SUCCESS));
  return sum_over(MPI_COMM_WORLD, mine);
}

static unsigned long long exchange(const char* shape, long step, unsigned long long mine) {
  if (!strcmp(shape, "others")) return on_others(step, mine);
  if (!strcmp(shape, "inter")) {
    const unsigned long long other_side = sum_over(inter, mine);
    return step % 4 ? other_side : other_side + sum_over(MPI_COMM_WORLD, mine);
  }
  if (!strcmp(shape, "ahead")) return from_first(MPI_COMM_WORLD, mine);
  if (!strcmp(shape, "halves")) return sum_over(half, mine);
  if (!strcmp(shape, "halos") || (!strcmp(shape, "begun") && step > 3)) return with_neighbours(mine);
  if (!strcmp(shape, "waits")) return in_all_ways(mine);
  if (!strcmp(shape, "rendezvous")) return with_long_ones(mine);
  if (!strcmp(shape, "mixed")) return in_all_ways(step % 4 ? mine : sum_over(half, mine));
  if (!strcmp(shape, "given")) return given_before_it_is_awaited(step, mine);
  if (!strcmp(shape, "failing")) return with_failures(mine);
  for (int i = 0; i < 7 && !strcmp(shape, "short"); ++i) mine = mix(sum_over(MPI_COMM_WORLD, mine));
  return sum_over(MPI_COMM_WORLD, mine);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const char* const shape = argc > 1 ? argv[1] : "world";
  const long steps = (long)number_argument(argc, argv, 2, 60);
  const double microseconds = number_argument(argc, argv, 3, 100);
  make_communicators();
  unsigned long long state = (unsigned long long)my_rank;
  for (int i = 0; i < 3 && !strcmp(shape, "own"); ++i) MPI_Barrier(MPI_COMM_WORLD);
  for (long step = 0; step < steps; ++step) {
    if (microseconds > 0) compute_for(microseconds * (my_rank < rank_count / 2 ? 4 : 1));
    state = mix(state ^ exchange(shape, step, state));
#ifdef MIGRATES
    if (!strcmp(shape, "own") || (!strcmp(shape, "turns") && step >= steps / 2)) MPI_Migrate();
#endif
  }
  unsigned long long results[1024];
  CHECK(rank_count <= 1024);
  MPI_Request gathered;
  MPI_Igather(&state, 1, MPI_UNSIGNED_LONG_LONG, results, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD,
              &gathered);
  MPI_Wait(&gathered, MPI_STATUS_IGNORE);
  for (int rank = 0; my_rank == 0 && rank < rank_count; ++rank)
    printf("result %d %llu\n", rank, results[rank]);
  free_communicators();
  finish("candidates");
  if (!strcmp(shape, "late")) compute_for(1000.0 * my_rank);
}
