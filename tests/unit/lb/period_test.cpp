// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/period.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

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
