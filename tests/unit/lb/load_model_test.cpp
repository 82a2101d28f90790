// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/load_model.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;
using doctest::Approx;
using Loads = std::vector<double>;

// 1, 2, 6: mean 3, median 2. The line through them has the slope ((-1) 1 + 0 2 + 1 6) / (1 + 0 + 1) = 2.5; at
// the next step 3 + 2.5 x 2 = 8. 5, 3, 0: slope -2.5, next 8/3 - 5 < 0.
TEST_CASE("load model: functions of three loads of like intervals worked out by hand") {
  const auto of = [](double (*model)(const PastLoads&), const Loads& loads) {
    return model({loads, Loads(loads.size(), 1)});
  };
  const Loads loads{1, 2, 6};
  CHECK(of(last_value, loads) == 6);
  CHECK(of(average, loads) == 3);
  CHECK(of(median, loads) == 2);
  CHECK(of(median, {4, 1, 3, 2}) == 2.5);
  CHECK(of(linear_extrapolation, loads) == Approx(8));
  CHECK(of(linear_extrapolation, {1, 2}) == Approx(3));
  CHECK(of(linear_extrapolation, {7}) == 7);
  CHECK(of(linear_extrapolation, {5, 3, 0}) == 0);
  CHECK(sum_of_subphases(std::vector<float>{1, 4, 2}) == 7);
  CHECK(largest_subphase(std::vector<float>{1, 4, 2}) == 4);
}

// Intervals of 1/4, 1/2 and 1, in which an object took 1, 4 and 4: rates 4, 8, 4 (median 4), on average
// 9 / (7/4) = 36/7. One whose rate at time t is 8 t takes 4 (t1^2 - t0^2): 1/4 until 1/4, 2 until 3/4, 10
// until 7/4, and 18 until 11/4.
TEST_CASE("load model: loads of unlike intervals are rates, worked out by hand") {
  const Loads lengths{0.25, 0.5, 1}, loads{1, 4, 4}, rising{0.25, 2, 10};
  CHECK(last_value({loads, lengths}) == 4);
  CHECK(average({loads, lengths}) == Approx(36.0 / 7));
  CHECK(median({loads, lengths}) == 4);
  CHECK(linear_extrapolation({rising, lengths}) == Approx(18));
}

TEST_CASE("load model: a history looks at its last steps, by id") {
  LoadHistory history(parse_load_model("average:n=2"));
  Snapshot step = test::make_snapshot(2, {1, 10}, {0, 1});
  CHECK(history.add(step) == Loads{1, 10});
  step.objects.load = {3, 20};
  CHECK(history.add(step) == Loads{2, 15});
  // The objects come in another order, and on other PEs.
  step.objects.id = {1, 0};
  step.objects.pe = {0, 0};
  step.objects.load = {40, 5};
  CHECK(history.add(step) == Loads{30, 4});
  // An object that was away begins anew.
  Snapshot alone = test::make_snapshot(2, {6}, {0});
  CHECK(history.add(alone) == Loads{5.5});
  step.objects.id = {1, 0};
  step.objects.load = {8, 0};
  CHECK(history.add(step) == Loads{8, 3});
  // The object has ended: it took nothing and may not move.
  step.objects.migratable = {1, 0};
  CHECK(history.add(step) == Loads{8, 0});
}

// Work is the same in all intervals, 3 and 1 a sync point; the intervals double. After balancing a point
// takes less time.
TEST_CASE("load model: an interval that got longer is no growth") {
  for (const char* name : {"linear", "average", "median"}) {
    CAPTURE(name);
    for (const bool points_known : {true, false}) {
      CAPTURE(points_known);
      LoadHistory history(parse_load_model(name));
      Loads expected;
      for (const double length : {1, 2, 4}) {
        Snapshot step = test::make_snapshot(2, {3 * length, length}, {0, 1});
        step.interval_points = points_known ? static_cast<std::uint64_t>(length) : 0;
        step.interval_s = points_known ? 10 / length : 0.1 * length;
        expected = history.add(step);
      }
      REQUIRE(expected.size() == 2);
      CHECK(expected[0] == Approx(12));
      CHECK(expected[1] == Approx(4));
    }
  }
}

TEST_CASE("load model: an interval of unknown length makes all count as alike, until it is forgotten") {
  LoadHistory history(parse_load_model("average:n=2"));
  Snapshot step = test::make_snapshot(1, {6}, {0});
  CHECK(history.add(step) == Loads{6});
  step.interval_s = 5;
  step.objects.load = {10};
  CHECK(history.add(step) == Loads{8});
  step.interval_s = 15;
  step.objects.load = {2};
  CHECK(history.add(step) == Loads{9});  // 12 in 20 s
}

TEST_CASE("load model: intervals beyond comparison give finite loads") {
  for (const char* name : {"last", "linear", "average", "median"}) {
    LoadHistory history(parse_load_model(name));
    for (const double length : {5e-324, 1e308, 5e-324}) {
      Snapshot step = test::make_snapshot(1, {6}, {0});
      step.interval_s = length;
      const Loads expected = history.add(step);
      CHECK(expected[0] >= 0);
      CHECK(expected[0] <= 6e9);
    }
  }
}

TEST_CASE("load model: phases are put together before steps are") {
  Snapshot step = test::make_snapshot(1, {9}, {0});
  step.objects.subphase_count = 2;
  LoadHistory sums(parse_load_model("last:subphases=sum")),
      largest(parse_load_model("average:subphases=max,n=2"));
  step.objects.subphases = {2, 5};
  CHECK(sums.add(step) == Loads{7});
  CHECK(largest.add(step) == Loads{5});
  step.objects.subphases = {1, 0};
  CHECK(sums.add(step) == Loads{1});
  CHECK(largest.add(step) == Loads{3});
  step.objects.subphases.clear();
  step.objects.subphase_count = 0;
  CHECK(sums.add(step) == Loads{9});
}

TEST_CASE("load model: names and keys") {
  CHECK(parse_load_model("last").changes_nothing());
  CHECK(parse_load_model("median").steps == 5);
  CHECK(parse_load_model("linear").steps == 4);
  CHECK_FALSE(parse_load_model("last:subphases=max").changes_nothing());
  const auto error_of = [](const char* text) -> std::string {
    try {
      parse_load_model(text);
    } catch (const StrategyError& error) {
      return error.what();
    }
    return "no error";
  };
  CHECK(error_of("mean") ==
        "unknown load model 'mean' (did you mean median?); valid: last, average, median, linear");
  CHECK(error_of("last:n=2") == "load model 'last' has no key 'n'; valid: subphases");
  CHECK(error_of("linear:n=1") ==
        "load model 'linear': key 'n' is '1'; it must be an integer from 2 to 1000");
  CHECK(error_of("average:subphases=min") ==
        "load model 'average': key 'subphases' is 'min'; valid: total, sum, max");
}
