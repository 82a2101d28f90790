// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/drift.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

// What is left of the weight of what was learned when something new is.
constexpr double kOld = 0.8;
constexpr double kLeast = 0.05;

// 1 without any load.
std::vector<double> relative_finish(const Snapshot& snapshot, const Assignment& pe_of) {
  const double perfect = perfect_finish(snapshot);
  std::vector<double> finish = finish_times(snapshot, pe_of);
  for (double& time : finish) time = perfect > 0 ? time / perfect : 1;
  return finish;
}

// The largest finish time now, had the PEs been levelled by what was known before.
double largest_if_levelled(std::span<const double> before, std::span<const double> now) {
  double given = 0, lacking = 0;
  for (std::size_t p = 0; p < before.size(); ++p) {
    if (before[p] > 1) given += now[p] * (1 - 1 / before[p]);
    lacking += std::max(0.0, 1 - before[p]);
  }
  double largest = 0;
  for (std::size_t p = 0; p < before.size(); ++p) {
    const double finish =
        before[p] > 1 ? now[p] / before[p] : now[p] + given * (1 - before[p]) / std::max(lacking, 1e-12);
    largest = std::max(largest, finish);
  }
  return largest;
}

}  // namespace

Assignment Drift::last_placement(const Objects& objects) const {
  if (objects.id == ids_) return placement_;
  std::unordered_map<std::uint64_t, PeIndex> place;
  place.reserve(ids_.size());
  for (std::size_t i = 0; i < ids_.size(); ++i) place.emplace(ids_[i], placement_[i]);
  Assignment last = objects.pe;
  for (std::size_t i = 0; i < last.size(); ++i)
    if (const auto known = place.find(objects.id[i]); known != place.end()) last[i] = known->second;
  return last;
}

void Drift::observe(const Snapshot& snapshot, double intervals) {
  if (!finish_.empty())
    learn(intervals, finish_, relative_finish(snapshot, last_placement(snapshot.objects)));
  ids_ = snapshot.objects.id;
  placement_ = snapshot.objects.pe;
  finish_ = relative_finish(snapshot, placement_);
}

void Drift::learn(double intervals, std::span<const double> before, std::span<const double> now) {
  const double gain = std::ranges::max(before) - 1;
  if (gain <= 0) return;
  const double levelled = largest_if_levelled(before, now);
  const double left = std::ranges::max(now) - levelled, level = gain + 1 - levelled;
  squares_ = kOld * squares_ + gain * gain;
  products_ = kOld * products_ + gain * std::min(left, gain);
  level_products_ = kOld * level_products_ + gain * std::min({level, left, gain});
  squares_intervals_ = kOld * squares_intervals_ + gain * gain * intervals;
}

double Drift::after(double intervals, double products) const {
  if (squares_ <= 0) return 1;
  const double kept = std::clamp(products / squares_, kLeast, 1.0);
  return std::pow(kept, intervals * squares_ / std::max(squares_intervals_, 1e-3 * squares_));
}

double Drift::persistence() const { return after(1, products_); }
double Drift::persistence(double intervals) const { return after(intervals, products_); }
double Drift::levelness() const { return after(1, level_products_); }

}  // namespace skein::lb
