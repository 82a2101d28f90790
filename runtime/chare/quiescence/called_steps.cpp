// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/quiescence/called_steps.hpp"

#include <utility>

#include "runtime/base/clock.hpp"
#include "runtime/base/log.hpp"

namespace skein::chare {

void CalledSteps::configure(const balance::StepConfig& config) {
  has_steps_ = config.has_steps();
  is_lazy_ = config.balances() && config.mode.is_lazy();
  period_s_ = has_steps_ && !is_lazy_ ? config.period.seconds : 0;
  last_step_ = ticks();
}

bool CalledSteps::ask() {
  if (is_lazy_ && std::exchange(has_steps_, false))
    SKEIN_WARN("start_lb() does nothing with --lb-mode lazy, whose LB steps are at sync points");
  if (!has_steps_ || state_ != State::none) return false;
  state_ = State::asked;
  return true;
}

bool CalledSteps::ask_by_period(bool movable) {
  return movable && period_s_ > 0 && state_ == State::none && ns_since(last_step_) >= period_s_ * 1e9 &&
         ask();
}

void CalledSteps::end_step() {
  state_ = State::none;
  last_step_ = ticks();
}

}  // namespace skein::chare
