/* SPDX-License-Identifier: Apache-2.0
   A library without variables that compares addresses of its constants, and a program that has a copy of
   them, as linkers make it for code that is not compiled with -fPIC. Built with -DLIBRARY it is the library.
 */
#include "harness.h"

extern const int constants[4];
int is_constant(const int* which);

#ifdef LIBRARY
const int constants[4] = {1, 2, 3, 4};
int is_constant(const int* which) { return which >= constants && which < constants + 4; }
#else
int main(void) {
  for (int round = 0; round < 3; ++round) {
    EXPECT(is_constant(&constants[2]) && constants[2] == 3);
    skein_test_yield();
  }
  return 0;
}
#endif
