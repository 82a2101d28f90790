// SPDX-License-Identifier: Apache-2.0
// `two_nodes [ROUNDS [PAUSE_MS]]`: exchanges around a ring, with neighbours near and far, while the ranks
// move. Small and long messages, strided types, receives pending across a move, memory and open files that
// each rank keeps.
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { small_count = 17, long_count = 200000, rows = 96, columns = 64, keep_bytes = 3 << 20 };

/// Returns element `i` that rank `from` sends in round `round`.
static double element(int from, int round, int i) { return from * 1e6 + round * 1e3 + i % 997 + 0.25; }

static int at_distance(int distance) { return (my_rank + distance + rank_count) % rank_count; }

static void exchange(int round, int count, double* out, double* in) {
  const int to = at_distance(1 + round % 3), from = at_distance(-(1 + round % 3));
  for (int i = 0; i < count; ++i) out[i] = element(my_rank, round, i);
  memset(in, 0, count * sizeof *in);
  MPI_Status status;
  MPI_Sendrecv(out, count, MPI_DOUBLE, to, round, in, count, MPI_DOUBLE, from, round, MPI_COMM_WORLD,
               &status);
  int received = 0;
  MPI_Get_count(&status, MPI_DOUBLE, &received);
  CHECK(received == count && status.MPI_SOURCE == from && status.MPI_TAG == round);
  for (int i = 0; i < count; ++i) CHECK(in[i] == element(from, round, i));
}

static double out_grid[rows][columns], in_grid[rows][columns];

/// Sends a column, which arrives as a column; nothing beside it changes.
static void exchange_column(int round, MPI_Datatype column) {
  const int right = at_distance(1), left = at_distance(-1), c = round % columns;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      out_grid[i][j] = element(my_rank, round, i * columns + j), in_grid[i][j] = -1;
  MPI_Sendrecv(&out_grid[0][c], 1, column, right, 0, &in_grid[0][columns - 1 - c], 1, column, left, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      CHECK(in_grid[i][j] == (j == columns - 1 - c ? element(left, round, i * columns + c) : -1));
}

/// Posts the receives before the ranks move, and sends the messages after.
static void exchange_across_move(int round) {
  int in[2] = {-1, -1};
  MPI_Request requests[2];
  MPI_Irecv(&in[0], 1, MPI_INT, at_distance(-1), 7, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&in[1], 1, MPI_INT, at_distance(2), MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
  maybe_move();
  const int out = my_rank * 1000 + round;
  MPI_Send(&out, 1, MPI_INT, at_distance(1), 7, MPI_COMM_WORLD);
  MPI_Send(&out, 1, MPI_INT, at_distance(-2), 8, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(in[0] == at_distance(-1) * 1000 + round && in[1] == at_distance(2) * 1000 + round);
}

static unsigned char kept(int i, int round) {
  return (unsigned char)((i * 31u + (unsigned)my_rank * 7u) % 251u + (unsigned)round % 5u);
}

/// Changes every page in each round, and checks it.
static void check_memory(unsigned char* memory, int round) {
  for (int i = 0; i < keep_bytes; i += 509) {
    CHECK(memory[i] == kept(i, round));
    memory[i] = kept(i, round + 1);
  }
}

static void check_file(FILE* file, int round) {
  CHECK(fprintf(file, "%d %d\n", my_rank, round) > 0);
  if (round % 4 != 3) return;
  const long end = ftell(file);
  rewind(file);
  for (int i = 0; i <= round; ++i) {
    int who = -1, what = -1;
    CHECK(fscanf(file, "%d %d", &who, &what) == 2 && who == my_rank && what == i);
  }
  CHECK(fseek(file, end, SEEK_SET) == 0);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 20), pause_ms = number_argument(argc, argv, 2, 0);
  double* const out = malloc(long_count * sizeof *out);
  double* const in = malloc(long_count * sizeof *in);
  unsigned char* const memory = malloc(keep_bytes);
  for (int i = 0; i < keep_bytes; ++i) memory[i] = kept(i, 0);
  char name[64];
  snprintf(name, sizeof name, "two_nodes.%d.%d", my_rank, rank_count);
  FILE* const file = fopen(name, "w+");
  CHECK(file != NULL);
  MPI_Datatype column;
  MPI_Type_vector(rows, 1, columns, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  long long sum = 0;
  for (int round = 0; round < rounds; ++round) {
    exchange(round, small_count, out, in);
    exchange(round, long_count, out, in);
    exchange_column(round, column);
    exchange_across_move(round);
    check_memory(memory, round);
    check_file(file, round);
    const long long mine = (long long)my_rank * round;
    long long all = -1;
    MPI_Allreduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == (long long)round * rank_count * (rank_count - 1) / 2);
    sum += all;
    if (my_rank == 0 && pause_ms) fprintf(stderr, "round %d\n", round);
    if (pause_ms) nanosleep(&(struct timespec){pause_ms / 1000, pause_ms % 1000 * 1000000L}, NULL);
  }
  CHECK(sum == (long long)rounds * (rounds - 1) / 2 * rank_count * (rank_count - 1) / 2);
  CHECK(fclose(file) == 0 && unlink(name) == 0);
  MPI_Type_free(&column);
  free(memory);
  free(in);
  free(out);
  finish("two_nodes");
}
