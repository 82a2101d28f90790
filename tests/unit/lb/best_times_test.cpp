// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/best_times.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "lb/kernel/random.hpp"

using namespace skein::lb;

namespace {

using Table = std::vector<StepTimes>;  // by the point before which a step is

double seconds_with(const Table& table, unsigned steps) {
  const std::size_t points = table.size();
  double seconds = 0;
  std::size_t last = 0;
  for (std::size_t j = 0; j < points; ++j) {
    if (j > 0 && (steps >> j & 1u)) {
      last = j;
      seconds += table[j].step_s;
    }
    seconds += table[last].point_s[j - last];
  }
  return seconds;
}

BestTimes best_of(const Table& table, std::size_t every = 1) {
  return best_times(table.size(), every, [&](std::size_t point, std::size_t) { return table[point]; });
}

// The fullest PE of a placement takes `growth` more with each point after its step; a point takes 1 without.
Table drifting(std::size_t points, double growth, double step_s) {
  Table table(points);
  for (std::size_t i = 0; i < points; ++i) {
    table[i].step_s = step_s;
    for (std::size_t j = i; j < points; ++j)
      table[i].point_s.push_back(1 + growth * static_cast<double>(j - i));
  }
  return table;
}

}  // namespace

TEST_CASE("best times: no sequence of steps takes less, of 12 points and all 2^11") {
  Random random(7);
  for (int turn = 0; turn < 60; ++turn) {
    Table table(12);
    for (std::size_t i = 0; i < table.size(); ++i) {
      table[i].step_s = 3 * random.unit();
      for (std::size_t j = i; j < table.size(); ++j) table[i].point_s.push_back(random.unit());
    }
    double least = std::numeric_limits<double>::infinity();
    for (unsigned steps = 0; steps < 1u << table.size(); steps += 2)
      least = std::min(least, seconds_with(table, steps));
    const BestTimes best = best_of(table);
    CHECK(best.seconds == doctest::Approx(least).epsilon(1e-12));
    unsigned told = 0;
    for (const std::size_t step : best.steps) told |= 1u << step;
    CHECK(std::ranges::is_sorted(best.steps));
    CHECK(seconds_with(table, told) == doctest::Approx(least).epsilon(1e-12));
  }
}

TEST_CASE("best times: under an even drift steps are sqrt(2 C / growth) apart") {
  // C = 5, growth 0.1: an interval of k points loses 0.1 k (k - 1) / 2, and 5 for its step; 10 is the least.
  const BestTimes best = best_of(drifting(100, 0.1, 5));
  CHECK(best.steps == std::vector<std::size_t>{10, 20, 30, 40, 50, 60, 70, 80, 90});
  CHECK(best.seconds == doctest::Approx(100 + 10 * 4.5 + 9 * 5));
}

TEST_CASE(
    "best times: a step is before the point at which a load jumps, and none that costs more than it gains") {
  for (const double step_s : {2.0, 5.0}) {
    Table table(12);
    for (std::size_t i = 0; i < table.size(); ++i) {
      table[i].step_s = step_s;
      for (std::size_t j = i; j < table.size(); ++j) table[i].point_s.push_back(j >= 8 && i < 8 ? 2 : 1);
    }
    CHECK(best_of(table).steps == (step_s < 4 ? std::vector<std::size_t>{8} : std::vector<std::size_t>{}));
  }
}

TEST_CASE("best times: steps are at every so many points alone") {
  for (const std::size_t step : best_of(drifting(100, 0.1, 5), 7).steps) CHECK(step % 7 == 0);
  CHECK(best_of(drifting(0, 1, 1)).steps.empty());
  CHECK(best_of(drifting(1, 1, 0)).seconds == 1);
}

TEST_CASE("best times: each step is told which one leads to it") {
  std::vector<std::size_t> told;
  const Table table = drifting(30, 0.1, 5);
  const BestTimes best = best_times(30, 1, [&](std::size_t point, std::size_t before) {
    told.push_back(before);
    return table[point];
  });
  REQUIRE(told.size() == 30);
  CHECK(best.steps == std::vector<std::size_t>{10, 20});
  CHECK(told[20] == 10);
  CHECK(told[10] == 0);
}
