// SPDX-License-Identifier: Apache-2.0
// Memory that a rank maps moves with it if it is only memory. All sync points come while it is mapped: ranks
// that move in a job show that it does not pin them.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "check.h"

enum { page = 4096, pages = 200 };

static char* map(size_t bytes, int flags) {
  char* const memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED && (uintptr_t)memory % page == 0);
  return memory;
}

/// Returns the content of page `i` in `round`.
static char mark(int i, int round) { return (char)(1 + (my_rank + 3 * i + 7 * round) % 100); }

int main(int argc, char** argv) {
  begin(&argc, &argv);
  for (int round = 0; round < 5; ++round) {
    char* const memory = map(pages * page, MAP_PRIVATE);
    for (int i = 0; i < pages; ++i) CHECK(memory[i * page] == 0);
    for (int i = 0; i < pages; ++i) memset(memory + i * page, mark(i, round), page);
    maybe_move();
    for (int i = 0; i < pages; ++i)
      CHECK(memory[i * page] == mark(i, round) && memory[i * page + page - 1] == mark(i, round));
    CHECK(munmap(memory + 10 * page, 20 * page) == 0);
    CHECK(madvise(memory + 50 * page, 10 * page, MADV_DONTNEED) == 0);
    maybe_move();
    for (int i = 0; i < pages; ++i)
      if (i < 10 || i >= 30) CHECK(memory[i * page] == (i >= 50 && i < 60 ? 0 : mark(i, round)));
    CHECK(munmap(memory, pages * page) == 0);
  }
  finish("maps");
}
