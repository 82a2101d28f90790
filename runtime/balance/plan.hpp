// SPDX-License-Identifier: Apache-2.0
// What an LB step is to do: the part of it between the end of the interval and the first move.
//
// A strategy decides on the snapshot of the whole job, which all PEs have, or the model of --lb auto chooses
// one that does; a distributed strategy decides by messages between PEs, and nobody gathers a snapshot.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "runtime/balance/interval.hpp"
#include "runtime/balance/objects.hpp"
#include "runtime/balance/step_config.hpp"

namespace skein::balance {

/// When each PE is done with the loads of an interval, on one placement. In the unit of loads, which are
/// seconds as a rule.
struct FinishTimes {
  std::vector<double> of_pe;
  double perfect = 0;  ///< all would be done then, if the load could be divided at will

  double largest() const;
  double imbalance_percent() const;
  double excess() const { return largest() - perfect; }
};

/// The numbers of the objects that come to this PE, by a distributed strategy.
struct Arrivals {
  std::vector<lb::ObjectIndex> objects;
};

/// The same on all PEs, but for Arrivals and decide_start.
struct Plan {
  std::string strategy;  ///< that decided; `none` where the objects stay because nobody decided otherwise
  FinishTimes before, after;  ///< of the same loads, where the objects were and where they are to be
  bool moves;                 ///< objects, or parts of them
  std::variant<lb::Decision, Arrivals> where;
  double decide_start;  ///< when the loads were known, this PE's clock
  std::string why =
      {};  ///< with --lb auto, where a report is written: what each choice was predicted to take

  /// Collective.
  MoveTotals carry_out() const;
};

/// Once, before make_plan(). Collective; with --lb auto it measures what moving takes on this machine.
void start_planning(const StepConfig& config);
/// For the objects as they were measured at the end of the interval. Collective; ends the job when deciding
/// fails on any PE.
Plan make_plan(const Interval& interval);
/// Hands what the planned step took to the models of --lb auto and --lb-period auto, if they are in use.
/// Collective. `thinking_s` is the time from the meeting's end to the first move, `moving_s` that of the
/// moves; both of this PE.
void learn_from(const Plan& plan, const Interval& interval, double thinking_s, double moving_s);

}  // namespace skein::balance
