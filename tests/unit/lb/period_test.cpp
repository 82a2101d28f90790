// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/period.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "lb/kernel/random.hpp"
#include "skein/lb/drift.hpp"

using namespace skein::lb;

namespace {

// A program whose points take 1 s without imbalance, and whose excess grows by `growth` seconds a point with
// each point. A step removes what was there in the middle of the interval behind it.
PeriodInput drifting(std::uint64_t points, double growth, double step_s) {
  const double n = static_cast<double>(points), excess = growth * n * n;
  return {points, n + excess, excess, 0, step_s};
}

// Plays `total` points of 1 s, in which a jump of `size` seconds a point comes every `every` points. The last
// interval's length is returned. What is there when an interval begins was left in part by the step before.
std::uint64_t after_jumps(std::uint64_t total, std::uint64_t every, double size, double step_s) {
  AutoPeriod period;
  std::uint64_t points = 1, passed = 0;
  double left = 0;
  while (passed < total) {
    const std::uint64_t jump = (passed / every + 1) * every;
    const double after = jump < passed + points ? static_cast<double>(passed + points - jump) : 0;
    const double n = static_cast<double>(points), excess = left * n + size * after;
    passed += points;
    points = period.next({points, n + excess, excess, 0, step_s});
    left = after > 0 ? size * (1 - after / n) : 0;
  }
  return points;
}

}  // namespace

TEST_CASE("auto period: with drift, the square root of 4 C / (3 d)") {
  for (const double growth : {1e-4, 1e-3, 1e-2}) {
    const double step_s = 0.02;
    AutoPeriod period;
    std::uint64_t points = 1;
    for (std::uint64_t passed = 0; passed < 100'000; passed += points)
      points = period.next(drifting(points, growth, step_s));
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
      const std::uint64_t next = period.next({points, static_cast<double>(points), 0, 0, step_s});
      passed += points;
      ++steps;
      CHECK(next <= 4 * passed);
      points = next;
    }
    CAPTURE(step_s);
    CHECK(static_cast<double>(steps) * step_s <= 1.1 * std::sqrt(6 * 0.03 * step_s * 1e5) + 2 * step_s);
  }
}

TEST_CASE("auto period: a step comes sooner when imbalance returns faster") {
  AutoPeriod period;
  std::uint64_t slow = 1;
  for (int step = 0; step < 200; ++step) slow = period.next(drifting(slow, 1e-4, 0.02));
  std::uint64_t fast = slow, passed = 0;
  for (; passed < 20'000; passed += fast) fast = period.next(drifting(fast, 1e-2, 0.02));
  CHECK(slow >= 12);
  CHECK(fast <= 3);
}

TEST_CASE("auto period: what PEs wait for each other by chance makes steps rarer") {
  // Nothing is paid for steps but chance, W sqrt(K) in an interval: K^1.5 = 4 / (3 d) * W / 2.
  const double growth = 1e-3, chance = 0.012;
  AutoPeriod period;
  std::uint64_t points = 1;
  for (std::uint64_t passed = 0; passed < 100'000; passed += points) {
    PeriodInput input = drifting(points, growth, 0);
    input.unforeseen_s = chance * std::sqrt(static_cast<double>(points));
    points = period.next(input);
  }
  CHECK(points == 4);
}

TEST_CASE("auto period: excess that no step removes does not call for steps") {
  AutoPeriod period;
  std::uint64_t points = 1;
  for (int step = 0; step < 300; ++step) {
    const double n = static_cast<double>(points);
    points = period.next({points, 1.5 * n, 0.5 * n, 0.5 * n, 0.1});
  }
  CHECK(points >= 50);
}

// Two PEs whose points take 1 s and up to 5 % more, each time anew, and a step of 10 ms. To the eye of one
// interval a few percent of imbalance come back at once after every step; but they do not last, so steps
// become rare. Were all of it believed, some 1.2 % of a point would come back with each interval, and each
// point or second one would be a step.
TEST_CASE("auto period: where excess is measured, noise does not call for steps") {
  Random random(1);
  AutoPeriod period;
  Drift drift;
  std::vector<double> last;
  std::uint64_t points = 1, passed = 0, steps = 0;
  while (passed < 10000) {
    std::vector<double> finish{0, 0};
    for (std::uint64_t k = 0; k < points; ++k)
      for (double& time : finish) time += 1 + 0.05 * random.unit();
    const double mean = (finish[0] + finish[1]) / 2;
    std::vector<double> relative{finish[0] / mean, finish[1] / mean};
    if (!last.empty()) drift.learn(static_cast<double>(points), last, relative);
    last = relative;
    const double n = static_cast<double>(points), largest = std::max(finish[0], finish[1]);
    passed += points;
    ++steps;
    points = period.next({points, largest, largest - mean, 0, 0.01, drift.persistence(n)});
  }
  CAPTURE(steps);
  CHECK(steps <= 1500);
}
