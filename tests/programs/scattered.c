// SPDX-License-Identifier: Apache-2.0
// `scattered`: memory of which only some pages hold data, in many short runs, moves with its rank, and the
// pages between stay untouched.
#include "check.h"

enum { page = 4096, pages = 1000, rounds = 3 };

/// Returns the first word of a page that holds data, or 0: every other page at first, then runs of one, two
/// and three.
static int content(int number, int round) {
  const int holds = number < pages / 2 ? number % 2 == 0 : number % 4 != 0 && (number / 4) % 3 != 0;
  return holds ? my_rank * 100000 + number * (round + 1) + 1 : 0;
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  char* const memory = aligned_alloc(page, (size_t)pages * page);
  CHECK(memory);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < pages; ++i)
      if (content(i, round)) *(int*)(memory + (size_t)i * page + i % 1000 * 4) = content(i, round);
    maybe_move();
    maybe_move();
    for (int i = 0; i < pages; ++i)
      if (content(i, round)) CHECK(*(int*)(memory + (size_t)i * page + i % 1000 * 4) == content(i, round));
  }
  for (int i = 0; i < pages; ++i)
    if (!content(i, 0))
      for (int k = 0; k < page / 4; ++k) CHECK(((int*)(memory + (size_t)i * page))[k] == 0);
  free(memory);
  finish("scattered");
  return 0;
}
