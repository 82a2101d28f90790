// SPDX-License-Identifier: Apache-2.0
// one_sided: rank 0 puts to the last rank's memory, and gets from it, each operation with the flush that ends
// it; and copies from memory to memory. Prints lines: put, get or memcpy, bytes, nanoseconds.
#include "timing.h"

typedef struct {
  MPI_Win win;
  int rank, target;
  int bytes;
  char *mine, *other;
} Access;

static void put(void* with) {
  const Access* const a = with;
  if (a->rank > 0) return;
  MPI_Put(a->mine, a->bytes, MPI_BYTE, a->target, 0, a->bytes, MPI_BYTE, a->win);
  MPI_Win_flush(a->target, a->win);
}
static void get(void* with) {
  const Access* const a = with;
  if (a->rank > 0) return;
  MPI_Get(a->mine, a->bytes, MPI_BYTE, a->target, 0, a->bytes, MPI_BYTE, a->win);
  MPI_Win_flush(a->target, a->win);
}
static void copy(void* with) {
  const Access* const a = with;
  if (a->rank > 0) return;
  memcpy(a->other, a->mine, (size_t)a->bytes);
  __asm__ volatile("" : : "r"(a->other) : "memory");
}

int main(int argc, char** argv) {
  static const int sizes[] = {8, 1048576};
  MPI_Init(&argc, &argv);
  Access a;
  int ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &a.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  a.target = ranks - 1;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    a.bytes = sizes[i];
    char* window;
    MPI_Win_allocate(a.bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &a.win);
    memset(window, a.rank + 1, (size_t)a.bytes);
    a.mine = touched((size_t)a.bytes);
    a.other = touched((size_t)a.bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, a.win);
    get(&a);
    expect(a.rank > 0 || a.mine[a.bytes - 1] == ranks, "get");
    const double seconds[] = {seconds_each(copy, &a, 0.02), seconds_each(put, &a, 0.02),
                              seconds_each(get, &a, 0.02)};
    print_row("memcpy", (size_t)a.bytes, seconds[0]);
    print_row("put", (size_t)a.bytes, seconds[1]);
    print_row("get", (size_t)a.bytes, seconds[2]);
    MPI_Win_unlock_all(a.win);
    MPI_Win_free(&a.win);
    free(a.mine);
    free(a.other);
  }
  MPI_Finalize();
  return 0;
}
