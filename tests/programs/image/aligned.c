/* SPDX-License-Identifier: Apache-2.0
   Static data and thread-local variables that are aligned to more than a page, in the program and in a
   library: built with -DLIBRARY it is that. */
#include "harness.h"

#include <stdint.h>

/* Uses a volatile variable, as the compiler knows the alignment and would rely on it. */
static int is_aligned(volatile const void* object, uintptr_t alignment) {
  volatile uintptr_t address = (uintptr_t)object;
  return address % alignment == 0;
}
#define IS_ALIGNED(object, alignment) is_aligned(&(object), alignment)

#ifdef LIBRARY

_Alignas(1 << 21) static int of_library[1 << 19] = {7};
_Thread_local _Alignas(8192) static int of_thread = 8;

int library_is_aligned(int rank);
int library_is_aligned(int rank) {
  const int expected = of_library[0];
  of_library[0] = of_thread = rank + 100;
  return IS_ALIGNED(of_library, 1 << 21) && IS_ALIGNED(of_thread, 8192) &&
         (expected == 7 || expected == rank + 100);
}

#else

int library_is_aligned(int rank);

_Alignas(8192) static int initialised[3] = {1, 2, 3};
_Alignas(65536) static char zeroed[100];
_Alignas(16384) static const volatile int constant = 4;
_Thread_local _Alignas(4096) static int of_thread = 5;

int main(void) {
  const int rank = skein_test_rank();
  for (int round = 1; round <= 3; ++round) {
    EXPECT(IS_ALIGNED(initialised, 8192));
    EXPECT(IS_ALIGNED(zeroed, 65536));
    EXPECT(IS_ALIGNED(constant, 16384) && constant == 4);
    EXPECT(IS_ALIGNED(of_thread, 4096));
    EXPECT(library_is_aligned(rank));
    EXPECT(zeroed[99] == (round == 1 ? 0 : rank + 1));
    EXPECT(initialised[2] == 3 && of_thread == (round == 1 ? 5 : rank));
    zeroed[99] = (char)(rank + 1);
    of_thread = rank;
    skein_test_yield();
  }
  return 0;
}

#endif
