// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/live_mode.hpp"

#include <doctest/doctest.h>

using namespace skein::lb;

namespace {

// Ten points of 1 s on each of four PEs, always balanced.
ResourceStep step_of(double decide_s) { return {.points = 10, .mean_s = 10, .decide_s = decide_s}; }

}  // namespace

TEST_CASE("live mode: a slow strategy is left to one PE once two steps in a row say so") {
  // On three PEs the ten points take 13.3 s; on four 10 s, and 20 s to decide.
  LiveMode mode;
  CHECK_FALSE(mode.choice(true));
  mode.add(4, step_of(20), 31);
  mode.add(4, step_of(20), 31);
  CHECK_FALSE(mode.is_to_be_lazy());
  mode.add(4, step_of(20), 31);  // the first that is asked about
  CHECK_FALSE(mode.is_to_be_lazy());
  mode.add(4, step_of(20), 31);
  CHECK(mode.is_to_be_lazy());
  REQUIRE(mode.choice(true));
  CHECK(mode.choice(true)->chosen().mode == Mode::Kind::lazy);
  CHECK(mode.choice(true)->chosen().total_s == doctest::Approx(40.0 / 3));
  CHECK(mode.choice(false)->chosen().mode == Mode::Kind::inline_all);
}

TEST_CASE("live mode: not where it gains little, and not where it once was so") {
  LiveMode little;  // 13.3 s against 13.8
  for (int i = 0; i < 10; ++i) little.add(4, step_of(3.8), 14);
  CHECK(little.choice(true)->chosen().mode == Mode::Kind::lazy);
  CHECK_FALSE(little.is_to_be_lazy());
  LiveMode fast;
  for (int i = 0; i < 10; ++i) fast.add(4, step_of(0.1), 10);
  CHECK_FALSE(fast.is_to_be_lazy());
}

TEST_CASE("live mode: a calibration has several PEs decide in what is told, and none in what is done") {
  // 12.3 s alone, and 1.2 s by each of ten: on 20 PEs ten points take 10 s, on 19 10.5.
  const ResourceCalibration calibration{.decision = Curve({{Term::share, 1}}), .most_deciding = 4};
  LiveMode mode(calibration);
  for (int i = 0; i < 5; ++i) mode.add(20, step_of(12.3), 23);
  CHECK(mode.is_to_be_lazy());
  const auto one = mode.choice(true), several = mode.choice(false, 8);
  REQUIRE((one && several));
  CHECK(one->chosen().deciding == 1);
  // 12.3 / m + 10 is least with all that may decide, and 22.3 inline.
  CHECK(several->chosen().mode == Mode::Kind::decoupled);
  CHECK(several->chosen().deciding == 8);
  CHECK(several->chosen().total_s == doctest::Approx(12.3 / 8 + 10));
}

TEST_CASE("live mode: several PEs are left where a calibration says that they decide faster together") {
  // Late by a point, ten of 1 s take a second more. On 20 - m of 20 PEs a point takes 20 / (20 - m) s, and 12
  // s / m are ceil(12 (20 - m) / 40 m) points of twice that: 6, 3, 2, 2 with 1 to 4 PEs; 17.1, 14.4, 14.1, 15
  // s.
  const ResourceCalibration calibration{.decision = Curve({{Term::share, 1}}), .most_deciding = 4};
  const ResourceStep step{
      .points = 10, .mean_s = 10, .decide_s = 12, .fullest_s = 10, .unmoved_s = 20, .unbalanced_s = 20};
  const auto after_five_steps = [&](std::uint32_t most) {
    LiveMode mode(calibration, most);
    for (int i = 0; i < 5; ++i) mode.add(20, step, 23);
    return mode;
  };
  const LiveMode several = after_five_steps(8);
  REQUIRE(several.next());
  CHECK(several.is_to_be_lazy());
  CHECK(several.deciding() == 3);
  CHECK(several.next()->chosen().total_s == doctest::Approx(20.0 / 17 * 12));
  CHECK(after_five_steps(2).deciding() == 2);
  CHECK(after_five_steps(1).deciding() == 1);
}

TEST_CASE("live mode: the pace is that of balanced intervals") {
  LiveMode mode;
  mode.add(4, step_of(20), 1000);
  CHECK(mode.pace_s() == 0);
  mode.add(4, step_of(20), 30);
  mode.add(4, step_of(20), 32);
  CHECK(mode.pace_s() == doctest::Approx(3.1));
}

TEST_CASE("live mode: a trial is judged once, after four periods") {
  LazyTrial trial(3.1, 40, 10);
  CHECK_FALSE(trial.was_faster_before(79, 1000));
  CHECK(trial.was_faster_before(80, 1.06 * 3.1 * 40));
  CHECK_FALSE(trial.was_faster_before(120, 1000));
  LazyTrial good(3.1, 40, 10);
  CHECK_FALSE(good.was_faster_before(90, 1.04 * 3.1 * 50));
  CHECK_FALSE(good.was_faster_before(200, 10000));
  LazyTrial unknown(0, 40, 10);
  CHECK_FALSE(unknown.was_faster_before(400, 1e9));
}
