// SPDX-License-Identifier: Apache-2.0
// What objects are expected to take, from what they took.
#include "lb/planner/forecast.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lb/kernel/random.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

namespace {

using Loads = std::vector<double>;

Snapshot with_loads(const Loads& loads) { return test::make_snapshot(2, loads, Assignment(loads.size(), 0)); }

double root_of_mean_square(const Loads& a, const Loads& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

}  // namespace

TEST_CASE("forecast: loads that last are taken as they are, and grow with the interval") {
  Forecast forecast;
  CHECK(forecast.add(with_loads({1, 2, 3}), 1) == Loads{1, 2, 3});
  CHECK(forecast.add(with_loads({5, 10, 15}), 5) == Loads{5, 10, 15});
  CHECK(forecast.add(with_loads({2, 4, 6}), 2) == Loads{2, 4, 6});
}

TEST_CASE("forecast: after a jump, the new loads are believed at once where loads had lasted") {
  Forecast forecast;
  for (int k = 0; k < 20; ++k) forecast.add(with_loads({1, 1, 1, 4}), 1);
  CHECK(forecast.add(with_loads({4, 1, 1, 1}), 1) == Loads{4, 1, 1, 1});
}

TEST_CASE("forecast: where loads are drawn anew, what an object took says nothing") {
  // Uniform in [0, 2): the deviation of one load is 2 / sqrt(12) = 0.577. Of 16 objects, the mean of an
  // interval deviates by a fourth of that, 0.144; of the last 20 intervals an object's mean by 0.129.
  Random random(5);
  Forecast forecast;
  Loads last;
  for (int k = 0; k < 60; ++k) {
    Loads loads;
    for (int i = 0; i < 16; ++i) loads.push_back(2 * random.unit());
    last = forecast.add(with_loads(loads), 1);
    if (k >= 3) CHECK(root_of_mean_square(last, Loads(16, 1.0)) <= 0.5);
  }
  CHECK(root_of_mean_square(last, Loads(16, 1.0)) <= 0.25);
}

TEST_CASE("forecast: what came first is in no mean") {
  // Loads of 1 and 3 with noise whose sign alternates, after a beginning that took a hundred times as much.
  Forecast forecast;
  forecast.add(with_loads({100, 300}), 1);
  Loads expected;
  for (int k = 0; k < 10; ++k) {
    const double noise = k % 2 == 0 ? 0.5 : -0.5;
    expected = forecast.add(with_loads({1 + noise, 3 - noise}), 1);
  }
  CHECK(expected[0] == doctest::Approx(1).epsilon(0.5));
  CHECK(expected[1] == doctest::Approx(3).epsilon(0.5));
}

TEST_CASE("forecast: objects that were nearly alike once are not taken for alike") {
  // 0.546875 goes from one to the other. Taken for alike, 2 each, both are off by 0.453125; as they were, by
  // 0.546875: the squares of the one are 0.69 of the other's.
  Forecast forecast;
  forecast.add(with_loads({1, 3}), 1);
  forecast.add(with_loads({1, 3}), 1);
  CHECK(forecast.add(with_loads({1.546875, 2.453125}), 1) == Loads{1.546875, 2.453125});
}

TEST_CASE("forecast: noise around loads that last is averaged out") {
  // A fifth more or less, uniformly: the deviation is 0.4 / sqrt(12) = 0.115 of each load, and of a mean over
  // some 20 of them a fourth of it.
  Random random(6);
  Forecast forecast;
  const Loads truth{1, 1, 1, 1, 5, 5, 5, 5};
  Loads expected;
  for (int k = 0; k < 200; ++k) {
    Loads loads = truth;
    for (double& load : loads) load *= 0.8 + 0.4 * random.unit();
    expected = forecast.add(with_loads(loads), 1);
  }
  for (std::size_t i = 0; i < truth.size(); ++i)
    CHECK(expected[i] == doctest::Approx(truth[i]).epsilon(0.08));
}

TEST_CASE("forecast: objects come, go and change their places in the list") {
  Forecast forecast;
  Snapshot first = with_loads({1, 2, 3});
  forecast.add(first, 1);
  forecast.add(first, 1);
  Snapshot second = with_loads({3, 7, 1});
  second.objects.id = {2, 9, 0};
  CHECK(forecast.add(second, 1) == Loads{3, 7, 1});
}

TEST_CASE("forecast: an object that has ended takes nothing, and does not count among the others") {
  Random random(7);
  Forecast forecast;
  Loads expected;
  for (int k = 0; k < 30; ++k) {
    Loads loads;
    for (int i = 0; i < 8; ++i) loads.push_back(1 + random.unit());
    Snapshot snapshot = with_loads(loads);
    for (std::size_t i : {0, 1, 2, 3}) {
      snapshot.objects.load[i] = 0;
      snapshot.objects.migratable[i] = 0;
    }
    expected = forecast.add(snapshot, 1);
  }
  for (std::size_t i : {0, 1, 2, 3}) CHECK(expected[i] == 0);
  for (std::size_t i : {4, 5, 6, 7}) CHECK(expected[i] == doctest::Approx(1.5).epsilon(0.35));
}
