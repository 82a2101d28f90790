/* SPDX-License-Identifier: Apache-2.0
   A library that every rank has its own copy of: built with -DLOWER as the one that holds the state, without
   as the one that uses it. */
#include "private_library.h"

#include "harness.h"

#ifdef LOWER
int lower_state = 17;
int* lower_pointer = &lower_state;
__thread int lower_local = 5;
static int constructed;
__attribute__((constructor)) static void construct(void) {
  constructed = 1;
  skein_test_reached("lower");
}
int lower_is_constructed(void) { return constructed; }
#else
__attribute__((constructor)) static void construct(void) {
  EXPECT(lower_is_constructed());
  skein_test_reached("upper");
}
int upper_add(int amount) {
  lower_local += amount;
  return lower_state += amount;
}
int upper_local(void) { return lower_local; }
#endif
