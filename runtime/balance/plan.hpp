// SPDX-License-Identifier: Apache-2.0
// What an LB step is to do: the part of it between the end of the interval and the first move.
//
// What it decides is the planner's matter (skein/lb/planner.hpp); here are the messages for it. A strategy
// decides on the snapshot of the whole job, which all PEs have, or the model of --lb auto chooses one that
// does; a distributed strategy decides by messages between PEs, and nobody gathers a snapshot. With
// --lb-mode decoupled one PE, or several together, gather the snapshot, decide, and tell the others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/balance/interval.hpp"
#include "runtime/balance/objects.hpp"
#include "runtime/balance/step_config.hpp"
#include "skein/lb/late.hpp"
#include "skein/lb/planner.hpp"

namespace skein::balance {

/// The numbers of the objects that come to this PE, by a distributed strategy.
struct Arrivals {
  std::vector<lb::ObjectIndex> objects;
};

/// What a decision that several PEs have made together says to this PE.
struct Together {
  std::vector<lb::PeIndex> own_places;  ///< of the objects in this PE's share
  std::vector<std::uint64_t> objects,
      bytes = {};  ///< that each of these PEs was told of, and in how many bytes
};

/// At which sync points a late decision was asked for and is applied.
struct LateFacts {
  std::uint64_t asked_at = 0, applied_at = 0;
  double decide_s = 0;     ///< what the strategy took, while the objects went on
  bool dropped = false;    ///< since it had become worse than staying
  bool ends_lazy = false;  ///< the job is inline again from here on: it was faster so
  lb::LateDrift drift;
};

struct Plan {
  lb::StepPlan step = {};                 ///< the same on all PEs
  std::optional<Arrivals> arrivals = {};  ///< of a distributed strategy; else the step's decision holds
  std::optional<Together> together = {};  ///< of a parallel strategy, likewise
  double decide_start = 0;                ///< when the loads were known, this PE's clock
  std::string why =
      {};  ///< with --lb auto, where a report is written: what each choice was predicted to take
  std::vector<int> pinned = {};        ///< the objects that had to stay, ascending
  std::optional<LateFacts> late = {};  ///< with --lb-mode lazy

  /// Collective.
  MoveTotals carry_out() const;
};

/// Once, before make_plan(). Collective; with --lb auto it measures what moving takes on this machine.
void start_planning(const StepConfig& config);
/// As the configuration wants it. After start_planning().
lb::Planner make_planner(const StepConfig& config);
/// For the objects as they were measured at the end of the interval. Collective; ends the job when deciding
/// fails on any PE.
Plan make_plan(const Interval& interval);
/// Hands what the planned step took to the models of --lb auto and --lb-period auto, if they are in use.
/// Collective. `thinking_s` is the time from the meeting's end to the first move, `moving_s` that of the
/// moves; both of this PE.
void learn_from(const Plan& plan, const Interval& interval, double thinking_s, double moving_s,
                bool at_sync_point);

}  // namespace skein::balance
