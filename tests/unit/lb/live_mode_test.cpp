// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/live_mode.hpp"

#include <doctest/doctest.h>

using namespace skein::lb;

namespace {

// Ten points of 1 s on each of four PEs, always balanced.
InlineStep step_of(double decide_s) {
  return {
      .points = 10, .mean_s = 10, .decide_s = decide_s, .fullest_s = 10, .unmoved_s = 10, .unbalanced_s = 10};
}

LiveMode after(double pes, std::initializer_list<InlineStep> steps) {
  LiveMode mode;
  for (const InlineStep& step : steps) mode.add(pes, step, 0);
  return mode;
}

double lazy_s(const LiveMode& mode) { return mode.choice(true).value().lazy_s; }

}  // namespace

TEST_CASE("live mode: a slow strategy is left to one PE once two steps in a row say so") {
  // On three PEs the ten points take 13.3 s; on four 10 s, and 20 s to decide.
  LiveMode mode;
  CHECK_FALSE(mode.choice(true));
  mode.add(4, step_of(20), 31);
  mode.add(4, step_of(20), 31);
  CHECK_FALSE(mode.is_to_be_lazy());
  mode.add(4, step_of(20), 31);  // the first step for which there is a choice
  CHECK_FALSE(mode.is_to_be_lazy());
  mode.add(4, step_of(20), 31);
  CHECK(mode.is_to_be_lazy());
  REQUIRE(mode.choice(true));
  CHECK(mode.choice(true)->lazy);
  CHECK(mode.choice(true)->lazy_s == doctest::Approx(40.0 / 3));
  CHECK(mode.choice(true)->inline_s == doctest::Approx(30));
  CHECK(mode.choice(true)->why ==
        "lazy:pes=1: 10 steps take 13.3 s, inline 30 s; deciding takes 20 s, while 10 steps are made that "
        "are 0 % longer than balanced ones; it is not decided before all steps are over");
  CHECK_FALSE(mode.choice(false)->lazy);
  CHECK(mode.choice(false)->why == "inline: 10 steps take 30 s; deciding takes 20 s");
}

TEST_CASE("live mode: not where it gains little, not where it once was so, and not of one PE") {
  LiveMode little;  // 13.3 s against 13.8
  for (int i = 0; i < 10; ++i) little.add(4, step_of(3.8), 14);
  CHECK(little.choice(true)->lazy);
  CHECK_FALSE(little.is_to_be_lazy());
  LiveMode fast;
  for (int i = 0; i < 10; ++i) fast.add(4, step_of(0.1), 10);
  CHECK_FALSE(fast.is_to_be_lazy());
  CHECK(fast.choice(true)->why == "inline: 10 steps take 10.1 s, lazy 13.3 s; deciding takes 0.1 s");
  CHECK_FALSE(after(1, {step_of(100), step_of(100), step_of(100)}).choice(true)->lazy);
}

TEST_CASE("live mode: a decision that comes late loses what the last ones were worth") {
  // A point is 1 s on two PEs, and 2 s on one; a decision takes 3 s.
  const auto step = [](double fullest_s, double unmoved_s, double unbalanced_s) {
    return InlineStep{.points = 10,
                      .mean_s = 10,
                      .decide_s = 3,
                      .move_s = 0.5,
                      .before_percent = 60,
                      .fullest_s = fullest_s,
                      .unmoved_s = unmoved_s,
                      .unbalanced_s = unbalanced_s};
  };
  // After one step its whole imbalance counts: 2 s (1 + 0.6) are longer than 3 s, so that one point loses
  // 0.6.
  CHECK(lazy_s(after(2, {step(16, 16, 16)})) == doctest::Approx(20 + 0.6 * 2 + 0.5));
  // After two steps the second one counts: the best known value of its decision is 0.4.
  CHECK(lazy_s(after(2, {step(16, 16, 16), step(12, 16, 16)})) == doctest::Approx(20 + 2 * 0.4 * 2 + 0.5));
  // From the third step on, the last decision counts by what it gained over the one before.
  const LiveMode three = after(2, {step(16, 16, 16), step(12, 16, 16), step(12, 13, 18)});
  CHECK(lazy_s(three) == doctest::Approx(20 + 2 * 0.1 * 2 + 0.5));
  CHECK(three.choice(true)->inline_s == doctest::Approx(3 + 0.5 + 10));
}

TEST_CASE("live mode: where a decision takes longer than until the next, it is as old as that") {
  // Ten points of 2 s on one of two PEs; 50 s are 25 / 1.1 such points that have lost 0.1, 23. So every third
  // asking is decided on, whose age grows from 23 to 53.
  const auto job = [](double decide_s, double unbalanced_s) {
    const InlineStep step{.points = 10,
                          .mean_s = 10,
                          .decide_s = decide_s,
                          .move_s = 0.6,
                          .before_percent = 10,
                          .fullest_s = 10,
                          .unmoved_s = 11,
                          .unbalanced_s = unbalanced_s};
    return after(2, {step, step, step});
  };
  CHECK(lazy_s(job(50, 100)) == doctest::Approx(20 + 0.1 * (23 + 2 * 10 / 2) * 2 + 0.6 / 3));
  // If that is worse than never to decide, nothing is decided: 0.2 is lost in each of ten points.
  CHECK(lazy_s(job(50, 12)) == doctest::Approx(20 + 0.2 * 10 * 2));
  // 20 s are 9.1 points, rounded up to ten: just in time.
  CHECK(lazy_s(job(20, 100)) == doctest::Approx(20 + 0.1 * 10 * 2 + 0.6));
}

TEST_CASE("live mode: with loads known, a PE fewer may cost a whole object") {
  // Four objects of 1 s on four PEs, or on three: 1 s a point, or 2 s.
  InlineStep step{.points = 1,
                  .mean_s = 1,
                  .decide_s = 0.1,
                  .fullest_s = 1,
                  .unmoved_s = 1,
                  .unbalanced_s = 1,
                  .loads = {1, 1, 1, 1}};
  CHECK(lazy_s(after(4, {step, step})) == doctest::Approx(2));
  step.loads.clear();
  CHECK(lazy_s(after(4, {step, step})) == doctest::Approx(4.0 / 3));
}

TEST_CASE("live mode: what points took beyond balanced work is theirs on one PE fewer, too") {
  // 4 s on three PEs, where a point took 5: so on two it is 6 + 1. 14 s are 1.4 points of 6 + 3 + 1.
  const InlineStep step{.points = 10,
                        .mean_s = 40,
                        .decide_s = 14,
                        .length_s = 50,
                        .fullest_s = 40,
                        .unmoved_s = 60,
                        .unbalanced_s = 60};
  const LiveMode mode = after(3, {step, step, step});
  CHECK(mode.choice(true)->inline_s == doctest::Approx(14 + 50));
  CHECK(mode.choice(true)->lazy_s == doctest::Approx(70 + 2 * 3));
  // Six objects of 1: on four PEs the fullest has two, where balanced work is 1.5; on three balanced work is
  // 2, and nothing is wasted. The strategy left 1.5 beyond the 0.5 that must be wasted: a quarter of the 0.5
  // is gained.
  const InlineStep six{.points = 1,
                       .mean_s = 1.5,
                       .decide_s = 1e-3,
                       .length_s = 3.5,
                       .fullest_s = 1.5,
                       .unmoved_s = 1.5,
                       .unbalanced_s = 1.5,
                       .loads = {1, 1, 1, 1, 1, 1}};
  CHECK(lazy_s(after(4, {six, six, six})) == doctest::Approx(2 + 0.5 - 0.25 * 0.5 + 1.5));
}

TEST_CASE("live mode: what steps take is the mean of least relative error") {
  // 1 s and 3 s: (1 + 1/3) / (1 + 1/9).
  CHECK(after(1, {step_of(1), step_of(3)}).choice(true)->inline_s == doctest::Approx(10 + 1.2));
  // A step in which nothing was computed or decided teaches nothing.
  CHECK_FALSE(after(2, {step_of(0)}).choice(true));
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
