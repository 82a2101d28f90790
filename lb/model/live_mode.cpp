// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/live_mode.hpp"

namespace skein::lb {

void LiveMode::add(double processes, const ResourceStep& step, double whole_s) {
  steps_.add(processes, step);
  processes_ = processes;
  if (added_++ > 0) {
    whole_s_ += whole_s;
    points_ += step.points;
  }
  const std::optional<ResourceChoice> now = added_ < kLeastSteps ? std::nullopt : next();
  double inline_s = 0;
  if (now)
    for (const ResourceCost& row : now->rows)
      if (row.mode == Mode::Kind::inline_all) inline_s = row.total_s;
  const bool clearly =
      now && now->chosen().mode == Mode::Kind::lazy && now->chosen().total_s < kClearly * inline_s;
  times_lazy_ = clearly ? times_lazy_ + 1 : 0;
  if (clearly) deciding_ = now->chosen().deciding;
}

std::optional<ResourceChoice> LiveMode::choice(bool may_be_lazy, std::uint32_t most_deciding) const {
  return choose(may_be_lazy, true, most_deciding);
}
std::optional<ResourceChoice> LiveMode::next() const { return choose(true, false, most_deciding_); }

std::optional<ResourceChoice> LiveMode::choose(bool may_be_lazy, bool may_be_decoupled,
                                               std::uint32_t most_deciding) const {
  if (steps_.empty()) return std::nullopt;
  ResourceQuestion question = steps_.question(processes_);
  question.inline_divides = false;
  question.may_be_lazy = may_be_lazy;
  question.may_be_decoupled = may_be_decoupled;
  question.undecided_by_interval.clear();  // it goes on from here
  // No t': a few steps hardly tell i, and a late decision still balances something (docs/lazy.md).
  question.growth = 0;
  ResourceModel model = fit_resources(steps_.samples());
  calibrate(model, question, calibration_, steps_.samples().decision);
  return choose_resources(model, question, deciding_up_to(most_deciding));
}

bool LazyTrial::was_faster_before(std::uint64_t now, double took_s) {
  if (pace_s_ <= 0 || now < began_ + kPeriods * period_) return false;
  const double before_s = pace_s_ * static_cast<double>(now - began_);
  pace_s_ = 0;
  return took_s > kSlower * before_s;
}

}  // namespace skein::lb
