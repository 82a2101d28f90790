// SPDX-License-Identifier: Apache-2.0
#include "bench/lazy/resource_steps.hpp"

#include <algorithm>
#include <cmath>

namespace bench_lazy {

void ResourceSteps::add(double processes, const ResourceStep& step) {
  if (!(step.points > 0 && step.mean_s > 0 && step.decide_s > 0)) return;
  samples_.step.push_back({{.processes = processes}, step.mean_s / step.points});
  samples_.decision.push_back({{.processes = step.deciding}, step.decide_s});
  samples_.parallel = samples_.parallel || step.deciding > 1;
  const double before = 1 + std::max(0.0, step.before_percent) / 100;
  const bool compares = step.fullest_s > 0;
  if (compares) {
    undecided_.push_back(std::max(0.0, step.unbalanced_s - step.fullest_s) / step.mean_s);
    undecided_loss_ += undecided_.back();
  }
  if (run_steps_ == 0) {
    ++runs_;
    first_loss_.add(before - 1);
  } else {
    // Until the first LB step the placement comes from no decision.
    Mean& loss = compares && run_steps_ == 1 ? second_loss_ : loss_;
    loss.add(compares ? (step.unmoved_s - step.fullest_s) / step.mean_s : before - after_);
    growth_ += std::pow(before / after_, 1 / step.points) - 1;
    if (step.length_s > 0) {
      length_s_ += step.length_s;
      length_points_ += step.points;
      length_on_ = processes;
    }
  }
  after_ = 1 + std::max(0.0, step.after_percent) / 100;
  ++steps_;
  ++run_steps_;
  points_ += step.points;
  moving_s_ += step.move_s;
  if (!step.loads.empty()) loads_ = step.loads;
}

ResourceQuestion ResourceSteps::question(double processes) const {
  const double later = steps_ - runs_;
  const Mean& loss = loss_.count > 0 ? loss_ : second_loss_.count > 0 ? second_loss_ : first_loss_;
  return {.processes = processes,
          .alpha = 1 + std::max(0.0, loss.value()),
          .undecided = 1 + undecided_loss_ / steps_,
          .undecided_by_interval = undecided_.size() > 1 ? undecided_ : std::vector<double>(),
          .growth = later > 0 ? std::max(0.0, growth_ / later) : 0,
          .steps = points_ / steps_,
          .redistribution_s = moving_s_ / steps_,
          .length_s = length_points_ > 0 ? length_s_ / length_points_ : 0,
          .length_on = length_on_,
          .loads = loads_};
}

}  // namespace bench_lazy
