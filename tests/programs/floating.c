// SPDX-License-Identifier: Apache-2.0
// `floating`: the floating-point environment is each rank's own: the exceptions that its arithmetic has
// raised, those that interrupt it, and its rounding, in double and in long double, which other units of the
// processor compute.
#include <fenv.h>
#include <float.h>

#include "check.h"

enum { steps = 6, looked_at = FE_DIVBYZERO | FE_OVERFLOW | FE_INVALID };

static volatile double zero = 0, one = 1, large = DBL_MAX, result;
static volatile long double long_zero = 0, long_one = 1, long_large = LDBL_MAX, long_result;

/// Raises the rank's own exceptions, and returns them: none for a fourth of the ranks.
static int raise_own(void) {
  switch (my_rank % 4) {
    case 0:
      long_result = long_one / long_zero;
      return FE_DIVBYZERO;
    case 1:
      long_result = long_large * 2;
      result = zero / zero;
      return FE_OVERFLOW | FE_INVALID;
    case 2:
      result = large * large;
      long_result = long_zero / long_zero;
      return FE_OVERFLOW | FE_INVALID;
    default:
      return 0;
  }
}

static void flags(void) {
  int raised = raise_own();
  for (int step = 0; step < steps; ++step) {
    CHECK(fetestexcept(looked_at) == raised);
    if (step % 2) maybe_move();
    MPI_Barrier(MPI_COMM_WORLD);
    if (step == 3) {
      feclearexcept(FE_OVERFLOW);
      raised &= ~FE_OVERFLOW;
    }
  }
  CHECK(fetestexcept(looked_at) == raised);
  feclearexcept(FE_ALL_EXCEPT);
}

/// Lets exceptions interrupt every second rank; only the other ranks raise them.
static void traps(void) {
  const int strict = my_rank % 2;
  if (strict) CHECK(feenableexcept(looked_at) == 0);
  for (int step = 0; step < steps; ++step) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (strict) {
      long_result = long_one * 2;
      CHECK(long_result == 2 && fetestexcept(looked_at) == 0);
    } else {
      long_result = long_one / long_zero;
      result = one / zero;
    }
    if (step % 2) maybe_move();
    CHECK(fegetexcept() == (strict ? looked_at : 0));
  }
  fedisableexcept(FE_ALL_EXCEPT);
  feclearexcept(FE_ALL_EXCEPT);
}

static void rounding(void) {
  static const int ways[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  const int way = ways[my_rank % 4];
  fesetround(way);
  const double third = one / 3;
  const long double long_third = long_one / 3;
  for (int step = 0; step < steps; ++step) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (step % 2) maybe_move();
    CHECK(fegetround() == way && one / 3 == third && long_one / 3 == long_third);
  }
  fesetround(FE_TONEAREST);
  CHECK((one / 3 == third) == (way != FE_UPWARD));
}

int main(int argc, char** argv) {
  CHECK(fetestexcept(FE_ALL_EXCEPT) == 0 && fegetexcept() == 0 && fegetround() == FE_TONEAREST);
  begin(&argc, &argv);
  flags();
  traps();
  rounding();
  finish("floating");
  return 0;
}
