// SPDX-License-Identifier: Apache-2.0
#include "lb/planner/forecast.hpp"

#include <algorithm>
#include <cmath>

namespace skein::lb {
namespace {

/// The factor by which old losses lose weight with each new one.
constexpr double kOldLoss = 0.7;
/// The initial loss of the guess that all objects are alike.
constexpr double kDoubt = 0.5;

/// Returns true if the object has ended: it no longer counts and does not come back.
bool is_over(const Objects& objects, std::size_t i) { return objects.load[i] == 0 && !objects.migratable[i]; }

double mean_rate(const Objects& objects, double points) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    sum += objects.load[i];
    count += !is_over(objects, i);
  }
  return count > 0 ? sum / points / static_cast<double>(count) : 0;
}

}  // namespace

Forecast::Forecast() { loss_[kAlike] = kDoubt; }

/// Returns the objects' means after the last interval; negative for objects that were not there.
std::vector<Forecast::Means> Forecast::means_of(const Snapshot& snapshot) const {
  const Objects& objects = snapshot.objects;
  if (objects.id == ids_) return means_;
  std::unordered_map<std::uint64_t, std::size_t> place;
  place.reserve(ids_.size());
  for (std::size_t i = 0; i < ids_.size(); ++i) place.emplace(ids_[i], i);
  Means unknown;
  unknown.fill(-1);
  std::vector<Means> means(objects.size(), unknown);
  for (std::size_t i = 0; i < objects.size(); ++i)
    if (const auto known = place.find(objects.id[i]); known != place.end()) means[i] = means_[known->second];
  return means;
}

void Forecast::judge(const Snapshot& snapshot, const std::vector<Means>& known, double points) {
  std::array<double, kGuesses> squares{};
  const Objects& objects = snapshot.objects;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (known[i][0] < 0 || is_over(objects, i)) continue;
    const double rate = objects.load[i] / points;
    for (std::size_t k = 0; k < kAlike; ++k) squares[k] += (known[i][k] - rate) * (known[i][k] - rate);
    squares[kAlike] += (all_ - rate) * (all_ - rate);
  }
  const double most = std::ranges::max(squares);
  if (most <= 0) return;
  for (std::size_t k = 0; k < kGuesses; ++k) loss_[k] = kOldLoss * loss_[k] + squares[k] / most;
}

std::vector<double> Forecast::add(const Snapshot& snapshot, double points) {
  const Objects& objects = snapshot.objects;
  points = std::max(points, 1.0);
  // The first interval is usually the program's beginning, which tells nothing of later ones: it is in no
  // mean.
  if (intervals_ == 1) ids_.clear();
  std::vector<Means> means = means_of(snapshot);
  if (++intervals_ > 2) judge(snapshot, means, points);
  const auto best = static_cast<std::size_t>(std::ranges::min_element(loss_) - loss_.begin());
  all_ = mean_rate(objects, points);

  std::array<double, kWeights.size()> weight;
  for (std::size_t k = 0; k < kAlike; ++k) weight[k] = 1 - std::pow(1 - kWeights[k], points);
  std::vector<double> expected(objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const double rate = objects.load[i] / points;
    const bool is_new = means[i][0] < 0;
    for (std::size_t k = 0; k < kAlike; ++k)
      means[i][k] = is_new ? rate : means[i][k] + weight[k] * (rate - means[i][k]);
    if (is_over(objects, i)) {
      expected[i] = 0;
      continue;
    }
    expected[i] = points * (best == kAlike ? all_ : means[i][best]);
  }
  ids_ = objects.id;
  means_ = std::move(means);
  return expected;
}

}  // namespace skein::lb
