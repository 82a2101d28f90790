// SPDX-License-Identifier: Apache-2.0
#include "bench/lazy/resource_steps.hpp"

#include <doctest/doctest.h>

using namespace bench_lazy;

TEST_CASE("resource steps: what is uneven for good is no loss while a decision is made") {
  // Each step leaves 20 % imbalance, and the next step finds the same: waiting for it cost nothing. The 60 %
  // before the first step lie in the past.
  ResourceSteps steps;
  steps.add(4, {.points = 10, .mean_s = 5, .decide_s = 1, .before_percent = 60, .after_percent = 20});
  steps.add(4, {.points = 10, .mean_s = 5, .decide_s = 1, .before_percent = 20, .after_percent = 20});
  steps.add(4, {.points = 10, .mean_s = 5, .decide_s = 1, .before_percent = 20, .after_percent = 20});
  const ResourceQuestion question = steps.question(4);
  CHECK(question.alpha == 1);
  CHECK(question.growth == 0);
  CHECK(question.steps == 10);
}

TEST_CASE("resource steps: a loss that comes back after each step") {
  ResourceSteps steps;
  steps.add(2, {.points = 2, .mean_s = 5, .decide_s = 1, .before_percent = 0, .after_percent = 0});
  steps.add(2, {.points = 2, .mean_s = 5, .decide_s = 1, .before_percent = 21, .after_percent = 0});
  CHECK(steps.question(2).alpha == doctest::Approx(1.21));
  CHECK(steps.question(2).growth == doctest::Approx(0.1));
}

TEST_CASE("resource steps: what the last decision and all of them were worth, where it was measured") {
  // 5 s on average. In the second interval the first decision gained 2 s over no decision, in the third the
  // second decision gained 1 s over the first; imbalance beyond these gains does not count.
  ResourceSteps steps;
  steps.add(2, {.points = 2,
                .mean_s = 5,
                .decide_s = 1,
                .before_percent = 60,
                .fullest_s = 8,
                .unmoved_s = 8,
                .unbalanced_s = 8});
  steps.add(2, {.points = 2,
                .mean_s = 5,
                .decide_s = 1,
                .before_percent = 40,
                .fullest_s = 7,
                .unmoved_s = 9,
                .unbalanced_s = 9});
  CHECK(steps.question(2).alpha == doctest::Approx(1.4));  // no other value is known
  steps.add(2, {.points = 2,
                .mean_s = 5,
                .decide_s = 1,
                .before_percent = 40,
                .fullest_s = 7,
                .unmoved_s = 8,
                .unbalanced_s = 10});
  CHECK(steps.question(2).alpha == doctest::Approx(1.2));
  const std::vector<double> undecided = steps.question(2).undecided_by_interval;
  REQUIRE(undecided.size() == 3);
  CHECK(undecided[0] == 0);
  CHECK(undecided[1] == doctest::Approx(0.4));
  CHECK(undecided[2] == doctest::Approx(0.6));
  CHECK(steps.question(2).undecided == doctest::Approx(1 + (0 + 0.4 + 0.6) / 3));
}

TEST_CASE("resource steps: how long steps are is told by the intervals behind the first decision") {
  ResourceSteps steps;
  steps.add(3, {.points = 2, .mean_s = 5, .decide_s = 1, .length_s = 100});
  CHECK(steps.question(3).length_s == 0);
  steps.add(3, {.points = 2, .mean_s = 5, .decide_s = 1, .length_s = 7});
  steps.add(3, {.points = 2, .mean_s = 5, .decide_s = 1, .length_s = 8});
  CHECK(steps.question(4).length_s == doctest::Approx(15.0 / 4));
  CHECK(steps.question(4).length_on == 3);
}

TEST_CASE("resource steps: loads are those of the last step that told them") {
  ResourceSteps steps;
  CHECK(steps.empty());
  steps.add(2, {.points = 2, .mean_s = 0, .decide_s = 1});
  CHECK(steps.empty());
  steps.add(2, {.points = 2, .mean_s = 5, .decide_s = 1, .loads = {1, 2}});
  steps.add(2, {.points = 2, .mean_s = 5, .decide_s = 1});
  CHECK(steps.question(2).loads == std::vector<double>{1, 2});
}

TEST_CASE("resource steps: with loads known, a PE fewer costs a whole object") {
  // Four equal objects: a step takes 1 s on four PEs, and 2 s on three.
  ResourceSteps steps;
  steps.add(4, {.points = 1, .mean_s = 1, .decide_s = 0.1, .loads = {1, 1, 1, 1}});
  const ResourceModel model = fit_resources(steps.samples());
  ResourceQuestion question = steps.question(4);
  question.steps = 10;
  CHECK(cost_of(model, question, Mode::Kind::inline_all, 0).total_s == doctest::Approx(0.1 + 10));
  CHECK(cost_of(model, question, Mode::Kind::decoupled, 1).total_s == doctest::Approx(0.1 + 10));
  CHECK(cost_of(model, question, Mode::Kind::lazy, 1).total_s == doctest::Approx(20));
  question.loads.clear();
  CHECK(cost_of(model, question, Mode::Kind::lazy, 1).total_s == doctest::Approx(10 * 4.0 / 3));
}
