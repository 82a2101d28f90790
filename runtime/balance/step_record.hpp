// SPDX-License-Identifier: Apache-2.0
// The findings and actions of one LB step.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/balance/objects.hpp"
#include "runtime/balance/plan.hpp"

namespace skein::balance {

/// An object that an LB step moved.
struct Relocation {
  std::size_t object;
  int from, to;
};

/// The record of a step. Seconds are of PE 0's clock.
struct StepRecord {
  const Interval& interval;  ///< the interval that ended with the step
  std::uint64_t stop;        ///< the sync point at which the objects stand, with a period of points
  const Plan& plan;
  const MoveTotals& moved;                     ///< of all PEs
  const std::vector<Relocation>& relocations;  ///< where Objects::places() is known
  double meet_s;                               ///< how long PE 0 waited for the others
  double decide_s;
  double move_s;
};

}  // namespace skein::balance
