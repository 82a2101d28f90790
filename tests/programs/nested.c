// SPDX-License-Identifier: Apache-2.0
// A nested function that uses its host's variables is called through code on the stack, also by an operation
// of a nonblocking reduction, while the rank moves. With -DPLAIN there is none, and no stack is executable.
#include <string.h>

#include "check.h"

enum { numbers = 40, rounds = 12 };

#ifndef PLAIN
static void sort_by_distance(int* values, int centre) {
  int calls = 0;
  int nearer(const void* a, const void* b) {
    ++calls;
    return abs(*(const int*)a - centre) - abs(*(const int*)b - centre);
  }
  qsort(values, numbers, sizeof *values, nearer);
  CHECK(calls >= numbers - 1);
  for (int i = 1; i < numbers; ++i) CHECK(abs(values[i - 1] - centre) <= abs(values[i] - centre));
}

static int twice(int (*function)(int), int value) { return function(function(value)); }

static void work(int round) {
  int values[numbers];
  for (int i = 0; i < numbers; ++i) values[i] = (i * 17 + my_rank) % 41;
  sort_by_distance(values, my_rank + round);
  // A function made before a move is called after it.
  int add(int value) { return value + round + 1; }
  int (*volatile made_before)(int) = add;
  MPI_Migrate();
  CHECK(twice(made_before, my_rank) == my_rank + 2 * (round + 1));
}

static void calls_on_side_stack(void* in, void* out, int* count, MPI_Datatype* type) {
  (void)type;
  int factor = 1;
  int scaled(int value) { return value * factor; }
  int (*volatile function)(int) = scaled;
  for (int i = 0; i < *count; ++i) ((int*)out)[i] += function(((int*)in)[i]);
}
#endif

static int stack_is_executable(void) {
  const unsigned long here = (unsigned long)&(int){0};
  FILE* maps = fopen("/proc/self/maps", "r");
  CHECK(maps);
  char line[512], mode[8];
  unsigned long begin, end;
  int found = -1;
  while (fgets(line, sizeof line, maps))
    if (sscanf(line, "%lx-%lx %7s", &begin, &end, mode) == 3 && begin <= here && here < end)
      found = strchr(mode, 'x') != NULL;
  fclose(maps);
  return found;
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  for (int round = 0; round < rounds; ++round) {
    MPI_Migrate();
#ifdef PLAIN
    CHECK(stack_is_executable() == 0);
#else
    CHECK(stack_is_executable() == 1);
    work(round);
    MPI_Op op;
    MPI_Request request;
    MPI_Op_create(calls_on_side_stack, 1, &op);
    int mine = my_rank + 1, sum = 0;
    MPI_Iallreduce(&mine, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == rank_count * (rank_count + 1) / 2);
    MPI_Op_free(&op);
#endif
  }
  if (my_rank == 0) puts("nested: all as it should be");
  MPI_Finalize();
  return 0;
}
