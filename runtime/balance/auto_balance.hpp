// SPDX-License-Identifier: Apache-2.0
// `--lb auto` and `--lb-period auto` in a running job: the model of skein/lb/model.hpp with what this job has
// taught it. All PEs learn from the same numbers, measured times being reduced over them, so that all come to
// the same choice and the same next step without telling each other.
#pragma once

#include <cstdint>

#include "runtime/balance/interval.hpp"
#include "skein/lb/auto.hpp"
#include "skein/lb/drift.hpp"
#include "skein/lb/model.hpp"
#include "skein/lb/period.hpp"

namespace skein::balance {

/// What this PE measured of an LB step.
struct StepFigures {
  double meeting_s = 0;   ///< waiting included
  double thinking_s = 0;  ///< collecting the snapshot and deciding
  double moving_s = 0;
  double met_pages = 0;  ///< in the interval, as met_pages() counts

  /// What the step took without its movement.
  double look_s() const { return meeting_s + thinking_s; }
};

class AutoBalance {
 public:
  /// `costs` are the same on all PEs; `moves_copy` as in objects.hpp.
  AutoBalance(lb::AutoOptions options, const lb::CostModel& costs, bool moves_copy)
      : options_(options), cost_(costs), moves_copy_(moves_copy), page_in_s_(costs.byte_s) {}

  /// `fading`: of gains, over such intervals. Loads that are no times (events, or the program's own unit) are
  /// weighed against costs as the seconds that they took on average.
  lb::Choice choose(const lb::Snapshot& snapshot, const Interval& interval, const lb::Drift::Fading& fading,
                    std::uint64_t seed) const;

  /// After the step, with its figures reduced over the PEs, as those of the trials of `choice` must be.
  void learn(const lb::Snapshot& snapshot, const lb::Choice& choice, const StepFigures& step);

 private:
  void correct_movement(const lb::Snapshot& snapshot, const lb::Assignment& pe_of, double seen);
  void correct_paging(double met_pages);

  lb::AutoOptions options_;
  lb::CostModel cost_;
  bool moves_copy_;
  // A slot that was handed over costs its new PE the pages that it meets. Of those with data, the objects
  // touch a part in the interval behind; that is learned.
  double page_in_s_;    // seconds a byte that is touched
  double touched_ = 1;  // part of the bytes
  double arrived_ = 0;  // bytes that the last step brought to the PE with most
  lb::Learned learned_;
};

/// The largest of each over all PEs; of the meeting the least, since it is time spent waiting for the last
/// PE. Collective.
StepFigures reduce(const StepFigures& mine);
/// The largest decision time of each trial over all PEs. Collective; all PEs have the same trials.
void reduce(std::vector<lb::Trial>& trials);

}  // namespace skein::balance
