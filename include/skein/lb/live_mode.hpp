// SPDX-License-Identifier: Apache-2.0
// `--lb-mode auto` of a job of which nothing is known before: it begins inline, learns from its own steps
// (resource_steps.hpp), and leaves deciding to the last of its PEs once the model (resources.hpp) says twice
// in a row that this takes clearly less. Whether it does is then measured; if not, the job is inline again,
// for good. Pure.
//
// What several PEs would take together no step has shown, so that one decides then, unless a calibration has
// it. Decoupled is told of at the end, and not changed to: with g(1) it is never better than inline, where
// each PE decides alone.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>

#include "skein/lb/resource_calibration.hpp"
#include "skein/lb/resource_steps.hpp"
#include "skein/lb/resources.hpp"

namespace skein::lb {

class LiveMode {
 public:
  LiveMode() = default;
  /// The job can change to up to so many deciding PEs.
  explicit LiveMode(ResourceCalibration calibration, std::uint32_t most_deciding = 1)
      : calibration_(std::move(calibration)), most_deciding_(most_deciding) {}

  /// Learns from a step that was inline, of so many PEs. `points` sync points, and the step that they end in,
  /// took `whole_s`.
  void add(double processes, const ResourceStep& step, double whole_s);

  /// Among inline, and what up to so many PEs that decide for the others make of it; null where there is
  /// nothing to learn from. Where the job cannot be lazy, that is left out.
  std::optional<ResourceChoice> choice(bool may_be_lazy, std::uint32_t most_deciding = 1) const;
  /// The best choice among what the job can change to.
  std::optional<ResourceChoice> next() const;
  /// Whether the job is to be lazy from its next step on: see above. Then: with so many PEs that decide.
  bool is_to_be_lazy() const { return times_lazy_ >= kTimes; }
  std::uint32_t deciding() const { return deciding_; }

  /// What a sync point took while the job was inline, steps included, s; that before the first step, when
  /// nothing was balanced, does not count. 0: not known.
  double pace_s() const { return points_ > 0 ? whole_s_ / points_ : 0; }

  static constexpr double kLeastSteps = 3;
  static constexpr int kTimes = 2;
  static constexpr double kClearly = 0.95;

 private:
  std::optional<ResourceChoice> choose(bool may_be_lazy, bool may_be_decoupled,
                                       std::uint32_t most_deciding) const;

  ResourceCalibration calibration_;
  std::uint32_t most_deciding_ = 1, deciding_ = 1;
  ResourceSteps steps_;
  double processes_ = 1, added_ = 0;
  double whole_s_ = 0, points_ = 0;
  int times_lazy_ = 0;
};

/// Decides, for a job that is lazy since some periods, whether it was faster before.
class LazyTrial {
 public:
  LazyTrial() = default;
  /// `pace_s`: of inline; 0: nothing to compare with. It is lazy since sync point `began`.
  LazyTrial(double pace_s, std::uint64_t began, std::uint64_t period)
      : pace_s_(pace_s), began_(began), period_(period) {}

  /// `took_s` have passed since, and the job has come to sync point `now`. True once at most.
  bool was_faster_before(std::uint64_t now, double took_s);
  double pace_s() const { return pace_s_; }

  static constexpr std::uint64_t kPeriods = 4;
  static constexpr double kSlower = 1.05;

 private:
  double pace_s_ = 0;
  std::uint64_t began_ = 0, period_ = 1;
};

}  // namespace skein::lb
