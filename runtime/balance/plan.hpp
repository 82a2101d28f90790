// SPDX-License-Identifier: Apache-2.0
// What an LB step is to do: the part of it between the end of the meeting and the first move.
//
// A strategy decides on the snapshot of the whole job, which all PEs have, or the model of --lb auto chooses
// one that does; a distributed strategy decides by messages between PEs, and nobody gathers a snapshot.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/balance/lb_step.hpp"

namespace skein::balance {

/// The same on all PEs, but for decide_start.
struct Plan {
  std::string strategy;   ///< that decided; `none` where the objects stay because nobody decided otherwise
  lb::Assignment new_pe;  ///< by object
  std::vector<lb::Split> splits;
  bool moves = false;                 ///< new_pe differs from where the objects are, or there are splits
  std::vector<double> before, after;  ///< finish times of the PEs without and with the moves, s
  double perfect = 0;                 ///< the finish time if the load could be divided at will, s
  double imbalance_before = 0, imbalance_after = 0;  ///< percent
  double decide_start = 0;                           ///< when the loads were known, this PE's clock
};

/// When the step takes place: sync points are counted from the last step.
struct StepTime {
  std::uint64_t index = 0;  ///< 0: the first step of the job
  double so_far_s = 0;      ///< since the start of the job
  double interval_s = 0;    ///< since the last step
};

/// Once, before make_plan(). Collective; with --lb auto it measures what moving takes on this machine.
void start_planning(const StepConfig& config);
/// Takes the loads since the last plan. Collective; ends the job when deciding fails on any PE.
Plan make_plan(const StepTime& time);
/// Hands what the planned step took to the models of --lb auto and --lb-period auto, if they are in use.
/// Collective. `thinking_s` is the time from the meeting's end to the first move, `moving_s` that of the
/// moves; both of this PE.
void learn_from(const Plan& plan, const StepTime& time, double thinking_s, double moving_s);

}  // namespace skein::balance
