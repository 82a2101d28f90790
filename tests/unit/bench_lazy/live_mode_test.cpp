// SPDX-License-Identifier: Apache-2.0
// The question that a job asks about itself (skein/lb/live_mode.hpp) is the paper's model for one PE that
// decides.
#include "skein/lb/live_mode.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "bench/lazy/resource_steps.hpp"

using namespace bench_lazy;

namespace {

double between(std::mt19937& random, double least, double most) {
  return std::uniform_real_distribution(least, most)(random);
}

skein::lb::InlineStep step_of(std::mt19937& random) {
  skein::lb::InlineStep step{.points = 1.0 + static_cast<double>(random() % 20),
                             .mean_s = between(random, 0.1, 10),
                             .decide_s = std::pow(10, between(random, -3, 1.5)),
                             .move_s = between(random, 0, 1),
                             .before_percent = between(random, 0, 80)};
  step.fullest_s = step.mean_s * between(random, 1, 1.3);
  step.unmoved_s = step.fullest_s * between(random, 0.9, 1.5);
  step.unbalanced_s = step.fullest_s * between(random, 0.9, 2);
  if (random() % 2) step.length_s = step.fullest_s * between(random, 0.9, 1.5);
  for (unsigned k = random() % 2 * 24; k > 0; --k) step.loads.push_back(between(random, 1, 3));
  return step;
}

}  // namespace

TEST_CASE("live mode: inline and lazy take what the resource model says of one PE that decides") {
  std::mt19937 random(1);
  int lazy = 0;
  for (int job = 0; job < 300; ++job) {
    const double pes = 2.0 + static_cast<double>(random() % 14);
    skein::lb::LiveMode mode;
    ResourceSteps steps;
    for (unsigned k = 1 + random() % 5; k > 0; --k) {
      const skein::lb::InlineStep step = step_of(random);
      mode.add(pes, step, 0);
      steps.add(pes, {.points = step.points,
                      .mean_s = step.mean_s,
                      .decide_s = step.decide_s,
                      .move_s = step.move_s,
                      .before_percent = step.before_percent,
                      .length_s = step.length_s,
                      .fullest_s = step.fullest_s,
                      .unmoved_s = step.unmoved_s,
                      .unbalanced_s = step.unbalanced_s,
                      .loads = step.loads});
    }
    ResourceQuestion question = steps.question(pes);
    question.inline_divides = false;
    question.undecided_by_interval.clear();
    const ResourceModel model = fit_resources(steps.samples());
    const auto choice = mode.choice(true);
    REQUIRE(choice);
    CHECK(choice->inline_s == doctest::Approx(cost_of(model, question, Mode::Kind::inline_all, 0).total_s));
    CHECK(choice->lazy_s == doctest::Approx(cost_of(model, question, Mode::Kind::lazy, 1).total_s));
    lazy += choice->lazy;
  }
  CHECK(lazy > 20);
  CHECK(lazy < 280);
}
