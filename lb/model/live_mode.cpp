// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/live_mode.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "skein/lb/grain.hpp"

namespace skein::lb {
namespace {

/// The loss of t sync points by late decisions, in balanced sync points, and the number of these decisions
/// per step. If the age u of a decision exceeds t, only every k-th inquiry is decided on, and the age of a
/// decision grows from u to u + k t. If that loses more than never deciding, nothing is decided.
struct Lag {
  double lost, decisions;
};
Lag lag_of(double t, double u, double loss, double undecided_loss) {
  if (u < t) return {u * loss, 1};
  const double k = std::ceil(u / t), lost = loss * (u + (k - 1) * t / 2);
  const double most = std::max(loss, undecided_loss) * t;
  return lost < most ? Lag{lost, 1 / k} : Lag{most, 0};
}

/// Rounds up to the first sync point after the decision; a whole number with a rounding error is not rounded
/// up.
double points_until_applied(double points) { return std::ceil(points * (1 - 1e-9)); }

template <class... Values>
std::string text_of(const char* format, Values... values) {
  char text[160];
  snprintf(text, sizeof text, format, values...);
  return text;
}

}  // namespace

void LiveMode::learn(const InlineStep& step) {
  if (!(step.points > 0 && step.mean_s > 0 && step.decide_s > 0)) return;
  const bool first = first_loss_.count == 0;
  point_s_.add(step.mean_s / step.points);
  decide_s_.add(step.decide_s);
  undecided_loss_.add(std::max(0.0, step.unbalanced_s - step.fullest_s) / step.mean_s);
  if (first) {
    first_loss_.add(std::max(0.0, step.before_percent) / 100);
  } else {
    // The placement before the first LB step was not decided.
    Mean& loss = second_loss_.count == 0 ? second_loss_ : loss_;
    loss.add((step.unmoved_s - step.fullest_s) / step.mean_s);
  }
  if (!first && step.length_s > 0) {
    length_s_ += step.length_s;
    length_points_ += step.points;
  }
  steps_points_.add(step.points);
  move_s_.add(step.move_s);
  if (!step.loads.empty()) loads_ = step.loads;
}

double LiveMode::loss() const {
  const Mean& mean = loss_.count > 0 ? loss_ : second_loss_.count > 0 ? second_loss_ : first_loss_;
  return std::max(0.0, mean.value());
}

double LiveMode::divided_s(double pes) const { return point_s_.value() * pes_ / pes; }

double LiveMode::wasted_s(double pes) const {
  return divided_s(pes) * (grain(loads_, static_cast<std::size_t>(pes)) - 1);
}

/// Better fitting of objects on fewer PEs counts only as far as the strategy came near such a placement on
/// all PEs.
double LiveMode::point_s(double pes) const {
  const double divided = divided_s(pes), wasted = wasted_s(pes), on_all = wasted_s(pes_);
  const double length = length_points_ > 0 ? length_s_ / length_points_ : 0;
  const double beyond = std::max(0.0, length - divided_s(pes_) - on_all);
  if (length <= 0 || wasted >= on_all) return divided + wasted + beyond;
  return divided + on_all - on_all / (on_all + beyond) * (on_all - wasted) + beyond;
}

std::optional<ModeChoice> LiveMode::choice(bool may_be_lazy) const {
  if (move_s_.count == 0) return std::nullopt;
  const double t = steps_points_.value(), decide_s = decide_s_.value(), move_s = move_s_.value();
  ModeChoice choice{.inline_s = decide_s + move_s + t * point_s(pes_)};
  double late = 0;
  if (may_be_lazy && pes_ > 1) {
    const double n = pes_ - 1, point = point_s(n), divided = divided_s(n);
    late = points_until_applied(decide_s / (point + loss() * divided));
    const Lag lag = lag_of(t, late, loss(), undecided_loss_.value());
    choice.lazy_s = t * point + lag.lost * divided + lag.decisions * move_s;
    choice.lazy = choice.lazy_s < choice.inline_s;
  }
  const double taken = choice.lazy ? choice.lazy_s : choice.inline_s;
  choice.why = text_of("%s: %.4g steps take %.3g s", choice.mode(), t, taken);
  if (choice.lazy_s > 0)
    choice.why += text_of(choice.lazy ? ", inline %.3g s" : ", lazy %.3g s",
                          choice.lazy ? choice.inline_s : choice.lazy_s);
  choice.why += text_of("; deciding takes %.3g s", decide_s);
  if (!choice.lazy) return choice;
  choice.why += text_of(", while %.3g steps are made that are %.3g %% longer than balanced ones",
                        std::min(late, t), 100 * loss());
  if (late >= t) choice.why += "; it is not decided before all steps are over";
  return choice;
}

void LiveMode::add(double pes, const InlineStep& step, double whole_s) {
  learn(step);
  pes_ = pes;
  if (added_++ > 0) {
    whole_s_ += whole_s;
    points_ += step.points;
  }
  const std::optional<ModeChoice> now = added_ < kLeastSteps ? std::nullopt : choice(true);
  const bool clearly = now && now->lazy && now->lazy_s < kClearly * now->inline_s;
  times_lazy_ = clearly ? times_lazy_ + 1 : 0;
}

bool LazyTrial::was_faster_before(std::uint64_t now, double took_s) {
  if (pace_s_ <= 0 || now < began_ + kPeriods * period_) return false;
  const double before_s = pace_s_ * static_cast<double>(now - began_);
  pace_s_ = 0;
  return took_s > kSlower * before_s;
}

}  // namespace skein::lb
