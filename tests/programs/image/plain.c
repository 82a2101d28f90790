/* SPDX-License-Identifier: Apache-2.0
   Sees whether a library is its own: run with -DSHARES where all ranks are to have one. */
#include "harness.h"

int plain_next(void);

int main(void) {
  int last = 0;
  for (int round = 1; round <= 5; ++round) {
    last = plain_next();
#ifndef SHARES
    EXPECT(last == round);
#endif
    skein_test_yield();
  }
#ifdef SHARES
  EXPECT(last > 5); /* some other rank counted too */
#endif
  return 0;
}
