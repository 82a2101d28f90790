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
TEST_CASE("load model: functions of three loads worked out by hand") {
  const Loads loads{1, 2, 6};
  CHECK(last_value(loads) == 6);
  CHECK(average(loads) == 3);
  CHECK(median(loads) == 2);
  CHECK(median(Loads{4, 1, 3, 2}) == 2.5);
  CHECK(linear_extrapolation(loads) == Approx(8));
  CHECK(linear_extrapolation(Loads{1, 2}) == Approx(3));
  CHECK(linear_extrapolation(Loads{7}) == 7);
  CHECK(linear_extrapolation(Loads{5, 3, 0}) == 0);
  CHECK(sum_of_phases(std::vector<float>{1, 4, 2}) == 7);
  CHECK(largest_phase(std::vector<float>{1, 4, 2}) == 4);
}

TEST_CASE("load model: a history looks at its last steps, by id") {
  LoadHistory history(parse_load_model("average:n=2"));
  Snapshot step = test::make_snapshot(2, {1, 10}, {0, 1});
  CHECK(history.add(step.objects) == Loads{1, 10});
  step.objects.load = {3, 20};
  CHECK(history.add(step.objects) == Loads{2, 15});
  // The objects come in another order, and elsewhere.
  step.objects.id = {1, 0};
  step.objects.pe = {0, 0};
  step.objects.load = {40, 5};
  CHECK(history.add(step.objects) == Loads{30, 4});
  // One that was away begins anew.
  Snapshot alone = test::make_snapshot(2, {6}, {0});
  CHECK(history.add(alone.objects) == Loads{5.5});
  step.objects.id = {1, 0};
  step.objects.load = {8, 0};
  CHECK(history.add(step.objects) == Loads{8, 3});
  // It ended: took nothing and may not move.
  step.objects.migratable = {1, 0};
  CHECK(history.add(step.objects) == Loads{8, 0});
}

TEST_CASE("load model: phases are put together before steps are") {
  Snapshot step = test::make_snapshot(1, {9}, {0});
  step.objects.phase_count = 2;
  LoadHistory sums(parse_load_model("last:phases=sum")), largest(parse_load_model("average:phases=max,n=2"));
  step.objects.phases = {2, 5};
  CHECK(sums.add(step.objects) == Loads{7});
  CHECK(largest.add(step.objects) == Loads{5});
  step.objects.phases = {1, 0};
  CHECK(sums.add(step.objects) == Loads{1});
  CHECK(largest.add(step.objects) == Loads{3});
  step.objects.phases.clear();
  step.objects.phase_count = 0;
  CHECK(sums.add(step.objects) == Loads{9});
}

TEST_CASE("load model: names and keys") {
  CHECK(parse_load_model("last").changes_nothing());
  CHECK(parse_load_model("median").steps == 5);
  CHECK(parse_load_model("linear").steps == 4);
  CHECK_FALSE(parse_load_model("last:phases=max").changes_nothing());
  const auto error_of = [](const char* text) -> std::string {
    try {
      parse_load_model(text);
    } catch (const StrategyError& error) {
      return error.what();
    }
    return "no error";
  };
  CHECK(error_of("mean") == "unknown load model 'mean'; valid: last, average, median, linear");
  CHECK(error_of("last:n=2") == "load model 'last' has no key 'n'; valid: phases");
  CHECK(error_of("linear:n=1") ==
        "load model 'linear': key 'n' is '1'; it must be an integer from 2 to 1000");
  CHECK(error_of("average:phases=min") ==
        "load model 'average': key 'phases' is 'min'; valid: total|sum|max");
}
