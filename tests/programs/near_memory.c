// SPDX-License-Identifier: Apache-2.0
// `near_memory [ROUNDS]`: ranks with some memory that must move once and then stay. The first half of them
// declares more load than the second. Each computes for a while in each round, and finds its memory
// unchanged.
#include <string.h>
#include <time.h>

#include "check.h"

enum { words = 1 << 19 };  // 4 MiB

static void compute_for(double seconds, const unsigned long* memory) {
  const clock_t start = clock();
  do {
    for (int i = 0; i < words; ++i) CHECK(memory[i] == (unsigned long)my_rank * words + (unsigned long)i);
  } while ((double)(clock() - start) / CLOCKS_PER_SEC < seconds);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 40);
  unsigned long* const memory = malloc(words * sizeof *memory);
  for (int i = 0; i < words; ++i) memory[i] = (unsigned long)my_rank * words + (unsigned long)i;
  for (int round = 0; round < rounds; ++round) {
    compute_for(0.005, memory);
    MPIX_Load_set(my_rank < rank_count / 2 ? 4 : 1);
    maybe_move();
  }
  free(memory);
  finish("near_memory");
  return 0;
}
