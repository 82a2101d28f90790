// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/drift.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

/// The factor by which old comparisons lose weight with each new one.
constexpr double kOldDrift = 0.8;
constexpr double kLeast = 0.05;
/// If less than this part of a gain is left by the next step, the part left after two steps tells little
/// about drift.
constexpr double kToldFromNoise = 0.5;
/// The least distance in time that counts.
constexpr double kShortest = 1e-3;

/// Returns the finish times in parts of the perfect one; 1 without any load.
std::vector<double> relative_finish(const Snapshot& snapshot, const Assignment& pe_of) {
  const double perfect = perfect_finish(snapshot);
  std::vector<double> finish = finish_times(snapshot, pe_of);
  for (double& time : finish) time = perfect > 0 ? time / perfect : 1;
  return finish;
}

/// Returns what the largest finish time would be now if the PEs had been levelled by the finish times
/// `before`.
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

Assignment Drift::Observation::placement_of(const Objects& objects) const {
  if (objects.id == ids) return placement;
  std::unordered_map<std::uint64_t, PeIndex> place;
  place.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) place.emplace(ids[i], placement[i]);
  Assignment then = objects.pe;
  for (std::size_t i = 0; i < then.size(); ++i)
    if (const auto known = place.find(objects.id[i]); known != place.end()) then[i] = known->second;
  return then;
}

void Drift::observe(const Snapshot& snapshot, double intervals, std::span<const double> expected) {
  const Objects& objects = snapshot.objects;
  if (!last_.empty()) learn(intervals, last_.finish, relative_finish(snapshot, last_.placement_of(objects)));
  if (!before_last_.empty())
    far_.learn(last_intervals_ + intervals, before_last_.finish,
               relative_finish(snapshot, before_last_.placement_of(objects)));
  before_last_ = std::move(last_);
  if (expected.empty()) {
    last_ = {objects.id, objects.pe, relative_finish(snapshot, objects.pe)};
  } else {
    Snapshot next;
    next.pes = snapshot.pes;
    next.objects.load.assign(expected.begin(), expected.end());
    last_ = {objects.id, objects.pe, relative_finish(next, objects.pe)};
  }
  last_intervals_ = intervals;
}

void Drift::learn(double intervals, std::span<const double> before, std::span<const double> now) {
  near_.learn(intervals, before, now);
}

void Drift::Comparisons::learn(double distance, std::span<const double> before, std::span<const double> now) {
  const double levelled = largest_if_levelled(before, now);
  weight = kOldDrift * weight + 1;
  excess = kOldDrift * excess + levelled - 1;
  distances = kOldDrift * distances + distance;
  double error = 0;
  for (std::size_t p = 0; p < before.size(); ++p) error += (now[p] - before[p]) * (now[p] - before[p]);
  errors = kOldDrift * errors + error / static_cast<double>(before.size());
  const double gain = std::ranges::max(before) - 1, left = std::ranges::max(now) - levelled;
  if (gain <= 0) return;
  squares = kOldDrift * squares + gain * gain;
  products = kOldDrift * products + gain * std::min(left, gain);
  gain_distances = kOldDrift * gain_distances + gain * gain * distance;
}

double Drift::Comparisons::kept() const {
  return squares > 0 ? std::clamp(products / squares, kLeast, 1.0) : 1;
}

double Drift::Comparisons::distance_of_gains() const {
  return std::max(gain_distances, kShortest * squares) / std::max(squares, 1e-300);
}

Drift::Fading Drift::fading(double intervals) const {
  if (near_.weight <= 0) return {};
  Fading fading{.returning = return_rate() * intervals, .spread = std::sqrt(near_.errors / near_.weight)};
  if (near_.squares <= 0) return fading;
  const double near = near_.distance_of_gains(), further = far_.distance_of_gains() - near,
               kept = near_.kept();
  if (far_.squares <= 0 || further <= 0 || kept < kToldFromNoise) {
    fading.persistence = std::pow(kept, intervals / near);
    return fading;
  }
  // A later interval cannot take more of a gain than the first one, or nothing would be left for noise.
  const double lasting = std::clamp(far_.kept() / kept, std::pow(kept, further / near), 1.0);
  fading.real = kept / std::pow(lasting, near / further);
  fading.persistence = std::pow(lasting, intervals / further);
  return fading;
}

double Drift::return_rate() const {
  const double near = near_.mean_distance(), near_excess = near_.mean_excess();
  if (far_.weight <= 0) return std::max(0.0, near_excess / std::max(near, kShortest));
  const double far = far_.mean_distance(), far_excess = far_.mean_excess();
  return std::max(0.0, (far_excess - near_excess) / std::max(far - near, kShortest));
}

}  // namespace skein::lb
