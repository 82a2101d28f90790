// SPDX-License-Identifier: Apache-2.0
// What the planner derives from the finish times of the PEs, for plans and reports.
#include "skein/lb/planner.hpp"

#include <doctest/doctest.h>

#include "tests/unit/lb/make_snapshot.hpp"

using skein::lb::FinishTimes;
namespace lb = skein::lb;

namespace {

// Returns for each of the first two steps whether it moves anything; PE 0 has both objects.
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

// Returns the interval after the third step with an automatic period. The second step levelled four objects
// of 1 s, which take `then` in the interval before the third. A point takes 1 s, a look 0.6.
std::uint64_t interval_after(const std::vector<double>& then) {
  lb::Planner planner({.strategy = lb::parse_strategy("greedy"), .period = {.automatic = true}}, {}, true,
                      {});
  lb::Assignment pe{0, 0, 0, 0};
  std::uint64_t points = 0;
  for (std::uint64_t index = 0; index < 3; ++index) {
    const std::vector<double> loads = index < 2 ? std::vector<double>(4, 1) : then;
    lb::IntervalShare sums(0, 2);
    for (std::size_t i = 0; i < loads.size(); ++i) {
      const int on = static_cast<int>(pe[i]);
      sums.add_object_on(on, loads[i], on, on);
    }
    sums.set_time(static_cast<double>(index + 1), 1);
    const lb::Interval interval(index, 1, sums.numbers());
    planner.take(lb::test::make_snapshot(2, loads, pe), interval);
    const lb::StepPlan plan = planner.plan(interval);
    pe = plan.decision.pe_of;
    points = planner.learn(plan, interval, {.thinking_s = 0.6}).value_or(0);
  }
  return points;
}

// Returns why the first step is as it is. PE 0 has two objects of 1 s; moving one takes `object_s` at each of
// two PEs, and a meeting 9 ms.
std::string why_first(lb::PlannerConfig config, double object_s) {
  lb::Planner planner(std::move(config), {.object_s = object_s, .meeting_s = 0.009}, true, {});
  lb::IntervalShare sums(0, 2);
  for (int object = 0; object < 2; ++object) sums.add_object(1, 0, 0);
  sums.set_time(2, 2);
  const lb::Interval interval(0, 12, sums.numbers());
  planner.take(lb::test::make_snapshot(2, {1, 1}, {0, 0}), interval);
  return planner.why(planner.plan(interval), interval);
}

}  // namespace

// One interval is to come, in which a step may gain a second.
TEST_CASE("planner: why a step is as it is, in a sentence") {
  const lb::Period each{.points = 12};
  const std::string found = "PE 0 took 100 % more than the mean over 12 sync points; ";
  CHECK(why_first({.automatic = lb::AutoOptions(), .period = each}, 0.015) ==
        found + "the step costs 24 ms and will gain about 1.0 s");
  const std::string stays = why_first({.automatic = lb::AutoOptions(), .period = each}, 5);
  CHECK(stays.starts_with(found));
  CHECK(stays.ends_with(" would cost 5.0 s and gain about 1.0 s"));
  CHECK(why_first({.strategy = lb::parse_strategy("greedy"), .period = each}, 0) ==
        found + "greedy levels it");
  CHECK(why_first({.strategy = lb::parse_strategy("rotate"), .period = {.automatic = true}}, 0) ==
        found + "that is the program's beginning, by which nothing is moved");
}

// Two intervals of one point weigh 1/2 and 1. So d is 0.03 in 1.5 + 1 points, K = sqrt(4 * 0.6 / (3 * 0.012))
// = 8.2; if half of a PE's 4 s has returned, d is 0.5 / 1.5 in as many points, and K is 2.4.
TEST_CASE("planner: with an automatic period, intervals are shorter where imbalance returns") {
  CHECK(interval_after({1, 1, 1, 1}) == 8);
  CHECK(interval_after({2, 0, 2, 0}) == 2);
}

TEST_CASE("planner: with an automatic period nothing moves by what the program's beginning took") {
  CHECK(first_moves({.automatic = true}) == std::vector<bool>{false, true});
  CHECK(first_moves({.points = 1}) == std::vector<bool>{true, true});
}

TEST_CASE("planner: what a strategy lacks is said at the first step, whatever the period") {
  CHECK_THROWS_AS(first_moves({.automatic = true}, "rcb"), lb::MissingData);
  CHECK_THROWS_AS(first_moves({.points = 1}, "rcb"), lb::MissingData);
}

// The line of koradi_test.cpp: no single step from the first cells, with 17 and 5, reaches the border that
// gives PE 0 12 and PE 1 10.
TEST_CASE("planner: what a strategy goes on from is brought from step to step") {
  lb::Planner planner({.strategy = lb::parse_strategy("koradi:every_step"), .period = {.points = 1}}, {},
                      true, {});
  lb::Snapshot line =
      lb::test::make_snapshot(2, {4, 4, 4, 4, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 1, 1, 1, 1, 1});
  for (int i = 0; i < 10; ++i) line.objects.position.push_back({static_cast<float>(i), 0, 0});
  const lb::Assignment level{0, 0, 0, 1, 1, 1, 1, 1, 1, 1};
  CHECK(lb::parse_strategy("koradi:steps=100").assign(line, 1) == level);
  CHECK(lb::parse_strategy("koradi:steps=1").assign(line, 1) != level);
  for (std::uint64_t index = 0; index < 100; ++index) {
    lb::IntervalShare sums(0, 2);
    sums.set_time(static_cast<double>(index + 1), 1);
    const lb::Interval interval(index, 1, sums.numbers());
    planner.take(line, interval);
    line.objects.pe = planner.plan(interval).decision.pe_of;
  }
  CHECK(line.objects.pe == level);
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
