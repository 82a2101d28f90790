// SPDX-License-Identifier: Apache-2.0
// What follows from the finish times of the PEs, in plans and reports.
#include "skein/lb/planner.hpp"

#include <doctest/doctest.h>

using skein::lb::FinishTimes;

TEST_CASE("plan: the fullest PE against the perfect finish time") {
  const FinishTimes times{{3, 1, 2}, 2};
  CHECK(times.largest() == 3);
  CHECK(times.excess() == 1);
  CHECK(times.imbalance_percent() == doctest::Approx(50));
}

TEST_CASE("plan: the perfect time is not the mean where PEs are not equally fast") {
  // 12 s of load on PEs of speed 1 and 3: 3 s each would be perfect; now the slow one has 6 of the load.
  const FinishTimes times{{6, 2}, 3};
  CHECK(times.excess() == 3);
  CHECK(times.imbalance_percent() == doctest::Approx(100));
}

TEST_CASE("plan: no load is balanced") {
  const FinishTimes times{{0, 0}, 0};
  CHECK(times.excess() == 0);
  CHECK(times.imbalance_percent() == 0);
}
