// SPDX-License-Identifier: Apache-2.0
// `--lb auto` over the steps of a job: the model of skein/lb/model.hpp, corrected by what the job has shown.
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
  /// `moves_copy`: a move takes time for an object's bytes; otherwise they cost time only later, when the new
  /// PE touches their pages.
  AutoBalance(AutoOptions options, const CostModel& costs, bool moves_copy)
      : options_(options), cost_(costs), moves_copy_(moves_copy), page_in_s_(costs.byte_s) {}

  /// Chooses a strategy. `fading`: the fading of gains over intervals as long as this one. Loads that are no
  /// times (events, or the program's own unit) are converted to the seconds that they took on average.
  Choice choose(const Snapshot& snapshot, const Interval& interval, const Drift::Fading& fading,
                std::uint64_t seed, const DecisionTimer& timer);

  /// Learns from a step whose figures, and the trials of `choice`, are reduced over the PEs.
  void learn(const Snapshot& snapshot, const Choice& choice, const StepFigures& step);

 private:
  void correct_messages(const Snapshot& snapshot, const Interval& interval);
  void correct_movement(const Snapshot& snapshot, const Assignment& pe_of, double seen);
  void correct_paging(double met_bytes);

  AutoOptions options_;
  CostModel cost_;
  /// The beginning of the first interval by which it was decided: what a program does before it steps tells
  /// nothing of how long it will. Negative before that.
  double began_s_ = -1;
  /// The ratio of the time that messages cost in intervals to the predicted time: below 1 if PEs compute
  /// something else meanwhile, above 1 if senders are late themselves.
  double shown_ = 1;
  bool moves_copy_;
  /// A slot that was handed over costs its new PE time for the pages that it touches: these are a part of the
  /// pages with data, learned from the last interval.
  double page_in_s_;    // per touched byte
  double touched_ = 1;  // of the bytes with data
  double arrived_ = 0;  // bytes that the last step brought to the PE that got most
  Learned learned_;
  OtherPlacement other_;
};

}  // namespace skein::lb
