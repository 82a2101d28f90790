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

// A program whose excess grows by `growth` seconds a point with each point since the last step, which removes
// all of it; points take 1 s without it.
PeriodInput interval(std::uint64_t points, double growth, double step_s) {
  const double n = static_cast<double>(points);
  const double excess = growth * n * n / 2;
  return {points, n + excess, excess, 0, step_s, 0};
}

}  // namespace

TEST_CASE("auto period: settles at the square root of twice the cost over the growth") {
  for (const double growth : {1e-4, 1e-3, 1e-2}) {
    const double step_s = 0.02;
    AutoPeriod period(0.05);
    std::uint64_t points = 1;
    for (int step = 0; step < 20; ++step) points = period.next(interval(points, growth, step_s));
    CAPTURE(growth);
    const double best = std::max(1.0, std::sqrt(2 * step_s / growth));
    CHECK(std::abs(static_cast<double>(points) - best) <= 0.5 + 0.05 * best);
  }
}

TEST_CASE("auto period: a balanced program is looked at ever more seldom, never sooner than doubling") {
  AutoPeriod period(0.01);
  std::uint64_t points = 1, passed = 0, steps = 0;
  while (passed < 100000) {
    passed += points;
    ++steps;
    const std::uint64_t next = period.next({points, static_cast<double>(points), 0, 0, 1e-4, 0});
    CHECK(next <= 2 * points);
    CHECK(next <= passed);
    points = next;
  }
  CHECK(steps <= 20);  // 1, 1, 2, 4, ..., 65536: 18
}

TEST_CASE("auto period: looking never takes more than its share of the time") {
  // A point of 1 ms, a look of 1 ms, 1 % allowed: 100 points, however fast the imbalance returns; but the
  // second interval is at most as long as the first.
  AutoPeriod period(0.01);
  std::uint64_t points = 1;
  for (int step = 0; step < 12; ++step) {
    points = period.next(
        {points, 1e-3 * static_cast<double>(points), 0.5e-3 * static_cast<double>(points), 0, 1e-3, 0});
  }
  CHECK(points >= 100);
}

TEST_CASE("auto period: a step comes sooner when imbalance returns faster") {
  AutoPeriod period(0.05);
  std::uint64_t slow = 1;
  for (int step = 0; step < 12; ++step) slow = period.next(interval(slow, 1e-4, 0.02));
  std::uint64_t fast = slow;
  for (int step = 0; step < 12; ++step) fast = period.next(interval(fast, 1e-2, 0.02));
  CHECK(slow >= 19);
  CHECK(fast <= 3);
}

// Two PEs whose points take 1 s and up to 5 % more, each time anew, and a step of 10 ms. To the eye of one
// interval a few percent of imbalance come back at once after every step; but they do not last, so steps
// become rare. Were all of it believed, each second point would be one.
TEST_CASE("auto period: noise does not call for steps") {
  Random random(1);
  AutoPeriod period(0.001);
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
    points = period.next({points, largest, largest - mean, 0, 0.01, 0, drift.persistence(n)});
  }
  CAPTURE(steps);
  CHECK(steps <= 150);
}
