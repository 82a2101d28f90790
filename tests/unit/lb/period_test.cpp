// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/period.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

using namespace skein::lb;

namespace {

// Plays a program whose points take 1 s without imbalance, and whose excess grows by `growth` seconds a point
// with each point. A step removes the excess of the middle of the interval behind it: what the step before
// had left, and half of what has grown since, which is growth times the points of an interval on average. A
// step moves objects for `growing_s` for each of those points, besides input.moving_s. Returns the last
// interval's points.
std::uint64_t after_drift(double growth, PeriodInput input, std::uint64_t total, double growing_s = 0) {
  AutoPeriod period;
  std::uint64_t points = 1;
  double moved = 0;
  const double moving_s = input.moving_s;
  for (std::uint64_t passed = 0; passed < total; passed += points) {
    const double n = static_cast<double>(points);
    input.points = points;
    input.interval_s = n;
    input.gained_s = moved * n;
    input.moving_s = moving_s + growing_s * n;
    moved = growth * n;
    points = period.next(input);
  }
  return points;
}

// Plays `total` points of 1 s, in which a jump of `size` seconds a point comes every `every` points. A step
// levels the part of a jump that it has seen in its interval. Returns the last interval's points.
std::uint64_t after_jumps(std::uint64_t total, std::uint64_t every, double size, double step_s) {
  AutoPeriod period;
  std::uint64_t points = 1, passed = 0;
  double excess = 0, moved = 0;  // seconds a point, at the end of the interval; what the last step levelled
  while (passed < total) {
    const double n = static_cast<double>(points);
    const std::uint64_t jump = (passed / every + 1) * every;
    const double after = jump < passed + points ? static_cast<double>(passed + points - jump) : 0;
    if (after > 0) excess += size;
    const double seen = after > 0 ? excess - size + size * after / n : excess;
    passed += points;
    points = period.next({.points = points, .interval_s = n, .gained_s = moved * n, .look_s = step_s});
    moved = seen;
    excess -= seen;
  }
  return points;
}

}  // namespace

TEST_CASE("auto period: with drift, the square root of 4 C / (3 d)") {
  for (const double growth : {1e-4, 1e-3, 1e-2}) {
    const double step_s = 0.02;
    const std::uint64_t points = after_drift(growth, {.look_s = step_s}, 100'000);
    CAPTURE(growth);
    const double best = std::max(1.0, std::sqrt(4 * step_s / (3 * growth)));
    CHECK(std::abs(static_cast<double>(points) - best) <= 0.5 + 0.05 * best);
  }
}

TEST_CASE("auto period: jumps of E every n points are a growth of E / n, however seldom they are seen") {
  for (const std::uint64_t every : {50, 500, 5000}) {
    const double size = 0.4, step_s = 0.1;
    const double best = std::sqrt(4 * step_s * static_cast<double>(every) / (3 * size));
    CAPTURE(every);
    const double points = static_cast<double>(after_jumps(400'000, every, size, step_s));
    CHECK(points >= 0.7 * best);
    CHECK(points <= 1.3 * best);
  }
}

TEST_CASE("auto period: a step that costs next to nothing is made at every point") {
  CHECK(after_jumps(1000, 50, 0.4, 1e-5) == 1);
}

TEST_CASE("auto period: looking at a program that stays balanced takes the square root of 6 * 0.03 C n") {
  for (const double step_s : {0.01, 0.1, 1.0}) {
    AutoPeriod period;
    std::uint64_t points = 1, passed = 0, steps = 0;
    while (passed < 100'000) {
      const std::uint64_t next =
          period.next({.points = points, .interval_s = static_cast<double>(points), .look_s = step_s});
      passed += points;
      ++steps;
      CHECK(next <= 4 * passed);
      points = next;
    }
    CAPTURE(step_s);
    CHECK(static_cast<double>(steps) * step_s <= 1.1 * std::sqrt(6 * 0.03 * step_s * 1e5) + 2 * step_s);
  }
}

TEST_CASE("auto period: what returned is expected to be had as long as nothing says that it cannot") {
  // d is 0.4 of a point in 4 + 1 points, for 0.03: K = sqrt(4 * 0.6 / (3 * 0.4 / 5)) = 3.2, for 11.5.
  CHECK(AutoPeriod().next({.points = 4, .interval_s = 4, .returned = 0.4, .look_s = 0.6}) == 3);
  CHECK(AutoPeriod().next({.points = 4, .interval_s = 4, .look_s = 0.6}) == 12);
}

TEST_CASE("auto period: where what returns is chance, looking takes the square root of 6 * 0.4 C n") {
  const double step_s = 0.1;
  AutoPeriod period;
  std::uint64_t points = 1, passed = 0, steps = 0;
  for (; passed < 100'000; ++steps) {
    passed += points;
    const double n = static_cast<double>(points);
    points = period.next({.points = points, .interval_s = n, .returned = 0.4, .look_s = step_s});
  }
  CHECK(static_cast<double>(steps) * step_s <= 1.1 * std::sqrt(6 * 0.4 * step_s * 1e5) + 2 * step_s);
}

TEST_CASE("auto period: a step comes sooner when more is gained") {
  AutoPeriod period;
  const auto drifting = [](std::uint64_t points, double growth) {
    const double n = static_cast<double>(points);
    return PeriodInput{.points = points, .interval_s = n, .gained_s = growth * n * n, .look_s = 0.02};
  };
  std::uint64_t slow = 1;
  // Long enough for the period to forget its first guess; sqrt(4 C / (3 d)) is 16.
  for (int step = 0; step < 2000; ++step) slow = period.next(drifting(slow, 1e-4));
  std::uint64_t fast = slow, passed = 0;
  for (; passed < 20'000; passed += fast) fast = period.next(drifting(fast, 1e-2));
  CHECK(slow >= 12);
  CHECK(fast <= 3);
}

// If movement is the same at any time, C has at least half of it before intervals of different lengths have
// shown that, and all of it afterwards.
TEST_CASE("auto period: movement that does not grow with the interval is a cost of the step") {
  const double growth = 1e-3, look_s = 0.01, moving_s = 0.05;
  const auto best = [&](double step_s) { return std::sqrt(4 * step_s / (3 * growth)); };
  const auto points =
      static_cast<double>(after_drift(growth, {.look_s = look_s, .moving_s = moving_s}, 10'000));
  CHECK(points >= std::floor(best(look_s + moving_s / 2)));
  CHECK(points <= std::ceil(best(look_s + moving_s)));
  const double same = moving_s / points;  // the same movement in each interval
  const auto growing = static_cast<double>(after_drift(growth, {.look_s = look_s}, 10'000, same));
  CHECK(growing >= std::floor(best(look_s)));
  CHECK(growing < points);
}

TEST_CASE("auto period: what the fullest PE waits by chance at a step is a cost of it") {
  // A step costs nothing else: K = sqrt(4 * 0.012 / (3 * 0.001)).
  CHECK(after_drift(1e-3, {.chance_s = 0.012}, 100'000) == 4);
}

TEST_CASE("auto period: steps that lose as often as they gain become rare") {
  // Chance makes a point 5 % uneven, and the step that levels it gains that much by chance, or loses it. If
  // each step gained, every point would be a step; if none gains, there are at most sqrt(60 n) steps.
  AutoPeriod period;
  std::uint64_t points = 1, passed = 0, steps = 0;
  while (passed < 10'000) {
    const double n = static_cast<double>(points);
    passed += points;
    const double gained_s = (steps++ % 2 ? 0.05 : -0.05) * std::sqrt(n);
    points = period.next({.points = points, .interval_s = n, .gained_s = gained_s, .look_s = 0.01});
  }
  CAPTURE(steps);
  CHECK(steps <= 1.5 * std::sqrt(60 * 1e4));
}
