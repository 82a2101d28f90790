// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <vector>

#include "bench/lazy/step_run.hpp"

namespace lb = skein::lb;
using bench_lazy::Object;
using bench_lazy::StepJob;
using bench_lazy::StepRun;
using Kind = lb::Mode::Kind;

namespace {

// The objects lie on a line in the order 0, 2, 1, 3. At first PE 0 has 0 and 1; rcb gives it 0 and 2.
std::vector<Object> four(double a, double b, double c, double d) {
  return {{0, 0, 0, {0, 0, 0}, a}, {1, 1, 1, {2, 0, 0}, b}, {2, 2, 2, {1, 0, 0}, c}, {3, 3, 3, {3, 0, 0}, d}};
}

StepJob job(Kind mode, double decide_s) {
  return {.mode = mode,
          .computing = 2,
          .deciding = 1,
          .period = 2,
          .decide_s = decide_s,
          .exchange_s = 0.5,
          .meeting_s = 0.25,
          .move_object_s = 0.1};
}

const lb::Selection& rcb() {
  static const lb::Selection selection = lb::parse_strategy("rcb");
  return selection;
}

}  // namespace

TEST_CASE("step run: inline and decoupled, all wait for exchange, decision, meeting and moves") {
  for (const Kind mode : {Kind::inline_all, Kind::decoupled}) {
    const std::vector<Object> objects = four(3, 3, 1, 1);
    StepRun run(job(mode, 1), rcb(), objects);
    run.step(objects);
    CHECK(run.seconds() == doctest::Approx(6));
    CHECK(run.loss_s() == doctest::Approx(2));
    // Object 1 leaves PE 0 and 2 arrives: two moves on either PE.
    run.step(objects);
    CHECK(run.seconds() == doctest::Approx(12 + 0.5 + 1 + 0.25 + 0.2));
    run.step(objects);
    CHECK(run.seconds() == doctest::Approx(13.95 + 4));
    // The step is repeated, and nothing moves.
    run.step(objects);
    CHECK(run.seconds() == doctest::Approx(17.95 + 4 + 0.5 + 1 + 0.25));
    CHECK(run.loss_s() == doctest::Approx(4));
    // Two decisions for two steps each; without the first the fullest PE would take 12 where the mean is 8,
    // and the loss does not grow.
    const bench_lazy::ResourceQuestion question = run.learned().question(2);
    CHECK(question.steps == doctest::Approx(2));
    CHECK(question.alpha == doctest::Approx(1.5));
    CHECK(question.growth == doctest::Approx(0));
  }
}

TEST_CASE("step run: decoupled follows from inline, and no more is decided than may be") {
  const std::vector<Object> objects = four(3, 3, 1, 1);
  StepJob other = job(Kind::decoupled, 4);
  other.exchange_s = 2;
  StepJob once = job(Kind::inline_all, 1), never = once;
  once.decisions = 1;
  never.decisions = 0;
  StepRun inline_run(job(Kind::inline_all, 1), rcb(), objects), decoupled(other, rcb(), objects);
  StepRun with_one(once, rcb(), objects), with_none(never, rcb(), objects);
  for (int step = 0; step < 5; ++step)
    for (StepRun* const run : {&inline_run, &decoupled, &with_one, &with_none}) run->step(objects);
  CHECK(decoupled.seconds() == doctest::Approx(inline_run.seconds() + 2 * (3 + 1.5)));
  CHECK(inline_run.seconds_with(4, 2) == doctest::Approx(decoupled.seconds()));
  // The second decision moves nothing.
  CHECK(with_one.seconds() == doctest::Approx(inline_run.seconds() - (0.5 + 1 + 0.25)));
  CHECK(with_one.applied() == 1);
  CHECK(with_none.seconds() == doctest::Approx(5 * 6));
  CHECK(with_none.applied() == 0);
}

TEST_CASE("step run: lazy, a decision is applied at the first point behind which it has come") {
  const std::vector<Object> objects = four(3, 3, 1, 1);
  StepRun run(job(Kind::lazy, 5), rcb(), objects);
  run.step(objects);
  run.step(objects);  // asks; the answer comes at 17.5
  CHECK(run.seconds() == doctest::Approx(12));
  run.step(objects);
  CHECK(run.seconds() == doctest::Approx(18 + 0.25 + 0.2));
  run.step(objects);  // asks; the answer comes at 27.95
  run.step(objects);
  CHECK(run.seconds() == doctest::Approx(26.45));
  CHECK(run.applied() == 1);
  run.step(objects);
  CHECK(run.seconds() == doctest::Approx(30.45 + 0.25));
  CHECK(run.applied() == 2);
}

TEST_CASE("step run: an object that is cut off goes where that one goes, also with a late decision") {
  const std::vector<Object> objects = four(3, 3, 1, 1);
  StepRun run(job(Kind::lazy, 5), rcb(), objects);
  run.step(objects);
  run.step(objects);
  std::vector<Object> more = four(3, 1, 1, 1);
  more.push_back({4, 1, 1, {2, 0, 0}, 2});
  run.step(more);  // it starts on PE 0, beside 1: 3 + 1 + 2; then leaves with 1: three moves on either PE
  CHECK(run.seconds() == doctest::Approx(12 + 6 + 0.25 + 0.3));
  run.step(more);  // 3 + 1 and 1 + 1 + 2
  CHECK(run.seconds() == doctest::Approx(18.55 + 4));
}

TEST_CASE("step run: a late decision that is worse than staying is dropped") {
  const std::vector<Object> objects = four(3, 3, 1, 1);
  StepRun run(job(Kind::lazy, 5), rcb(), objects);
  run.step(objects);
  run.step(objects);
  const std::vector<Object> other = four(4, 2, 4, 2);  // 6 and 6 as they lie, 8 and 4 by the decision
  run.step(other);
  CHECK(run.seconds() == doctest::Approx(12 + 6 + 0.25));
  CHECK(run.dropped() == 1);
  CHECK(run.applied() == 0);
  run.step(other);
  CHECK(run.seconds() == doctest::Approx(18.25 + 6));
}
