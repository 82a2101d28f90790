// SPDX-License-Identifier: Apache-2.0
#include "bench/lazy/learned.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bench_lazy {

using namespace skein;

Learned learn(const simulate::Timeline& run, std::uint64_t period) {
  Learned learned;
  learned.question = {
      .processes = static_cast<double>(run.pes), .alpha = 0, .steps = static_cast<double>(period)};
  lb::ResourceQuestion& question = learned.question;
  const auto steps = static_cast<double>(run.steps.size());
  double after = 0, growth = 0;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const simulate::StepRecord& step = run.steps[i];
    const auto row = run.busy.begin() + static_cast<std::ptrdiff_t>(i * run.pes);
    const double busy_s = 1e-9 * static_cast<double>(std::accumulate(
                                     row, row + static_cast<std::ptrdiff_t>(run.pes), simulate::Ns{0}));
    learned.samples.step.push_back(
        {{.processes = static_cast<double>(run.pes)},
         busy_s / static_cast<double>(run.pes) / static_cast<double>(step.points)});
    learned.samples.decision.push_back({{}, 1e-9 * static_cast<double>(step.decide)});
    const double before = 1 + step.imbalance_before / 100;
    question.alpha += before / steps;
    question.redistribution_s += 1e-9 * static_cast<double>(step.move) / steps;
    if (after > 0)
      growth += (std::pow(before / after, 1 / static_cast<double>(step.points)) - 1) / (steps - 1);
    after = 1 + step.imbalance_after / 100;
  }
  question.growth = std::max(0.0, growth);
  return learned;
}

}  // namespace bench_lazy
