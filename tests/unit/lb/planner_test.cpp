// SPDX-License-Identifier: Apache-2.0
// What follows from the finish times of the PEs, in plans and reports.
#include "skein/lb/planner.hpp"

#include <doctest/doctest.h>

#include "tests/unit/lb/make_snapshot.hpp"

using skein::lb::FinishTimes;
namespace lb = skein::lb;

namespace {

// Whether the first two steps move anything, where PE 0 has both objects.
std::vector<bool> first_moves(lb::Period period, std::string_view strategy = "greedy") {
  lb::Planner planner({.strategy = lb::parse_strategy(strategy), .period = period}, {}, true, {});
  std::vector<bool> moves;
  for (std::uint64_t index = 0; index < 2; ++index) {
    lb::IntervalShare sums(0, 2);
    for (int object = 0; object < 2; ++object) sums.add_object(1, 0, 0);
    sums.set_time(2.0 * static_cast<double>(index + 1), 2);
    const lb::Interval interval(index, 1, sums.numbers());
    planner.take(lb::test::make_snapshot(2, {1, 1}, {0, 0}), interval);
    const lb::StepPlan plan = planner.plan(interval);
    moves.push_back(plan.moves);
    planner.learn(plan, interval, {});
  }
  return moves;
}

}  // namespace

TEST_CASE("planner: with an automatic period nothing moves by what the program's beginning took") {
  CHECK(first_moves({.automatic = true}) == std::vector<bool>{false, true});
  CHECK(first_moves({.points = 1}) == std::vector<bool>{true, true});
}

TEST_CASE("planner: what a strategy lacks is said at the first step, whatever the period") {
  CHECK_THROWS_AS(first_moves({.automatic = true}, "rcb"), lb::MissingData);
  CHECK_THROWS_AS(first_moves({.points = 1}, "rcb"), lb::MissingData);
}

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
