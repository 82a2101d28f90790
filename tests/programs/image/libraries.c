/* SPDX-License-Identifier: Apache-2.0
   A program with private libraries: it holds a copy of a variable and of a pointer to it, and addresses the
   library's thread-local variable. Also functions chosen at start (IFUNC). */
#include <stdio.h>

#include "harness.h"
#include "private_library.h"

static int chosen(void) { return 77; }
__attribute__((used)) static int (*choose(void))(void) { return chosen; }
int indirect(void) __attribute__((ifunc("choose")));
int (*pointer_to_indirect)(void) = indirect;

int main(void) {
  const int rank = skein_test_rank();
  skein_test_reached("main");
  EXPECT(lower_state == 17 && lower_pointer == &lower_state && lower_local == 5);
  EXPECT(indirect() == 77 && pointer_to_indirect() == 77);
  for (int round = 1; round <= 10; ++round) {
    EXPECT(upper_add(rank) == 17 + rank * round);
    skein_test_yield();
    EXPECT(lower_state == 17 + rank * round && *lower_pointer == lower_state);
    EXPECT(lower_local == 5 + rank * round && upper_local() == lower_local);
  }
  printf("rank %d: %d\n", rank, lower_state);
  return 0;
}
