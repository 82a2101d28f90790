// SPDX-License-Identifier: Apache-2.0
// `--lb auto` over the steps of a job: the model of skein/lb/model.hpp with what the job has taught it.
#pragma once
#include <cstdint>

#include "lb/planner/other_placement.hpp"
#include "skein/lb/drift.hpp"
#include "skein/lb/interval.hpp"
#include "skein/lb/model.hpp"
#include "skein/lb/planner.hpp"

namespace skein::lb {

class AutoBalance {
 public:
  /// `moves_copy`: a move takes time for an object's bytes; else they cost only later, when the new PE meets
  /// their pages.
  AutoBalance(AutoOptions options, const CostModel& costs, bool moves_copy)
      : options_(options), cost_(costs), moves_copy_(moves_copy), page_in_s_(costs.byte_s) {}

  /// `fading`: of gains, over such intervals. Loads that are no times (events, or the program's own unit) are
  /// weighed against costs as the seconds that they took on average.
  Choice choose(const Snapshot& snapshot, const Interval& interval, const Drift::Fading& fading,
                std::uint64_t seed, const DecisionTimer& timer);

  /// After the step, with its figures reduced over the PEs, as those of the trials of `choice` must be.
  void learn(const Snapshot& snapshot, const Choice& choice, const StepFigures& step);

 private:
  void correct_messages(const Snapshot& snapshot, const Interval& interval);
  void correct_movement(const Snapshot& snapshot, const Assignment& pe_of, double seen);
  void correct_paging(double met_bytes);

  AutoOptions options_;
  CostModel cost_;
  /// What shows of messages in the time of intervals: less than they take where PEs compute something else
  /// meanwhile, more where whoever is to send them waits itself.
  double shown_ = 1;
  bool moves_copy_;
  /// A slot that was handed over costs its new PE the pages that it meets. Of those with data, the objects
  /// touch a part in the interval behind; that is learned.
  double page_in_s_;    // seconds a byte that is touched
  double touched_ = 1;  // part of the bytes
  double arrived_ = 0;  // bytes that the last step brought to the PE with most
  Learned learned_;
  OtherPlacement other_;
};

}  // namespace skein::lb
