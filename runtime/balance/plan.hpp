// SPDX-License-Identifier: Apache-2.0
// The plan of an LB step, as decision_scheme.hpp makes it, and its form as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "skein/lb/late.hpp"
#include "skein/lb/planner.hpp"

namespace skein::balance {

/// A joint decision of several PEs as far as it concerns this PE.
struct Together {
  std::vector<lb::PeIndex> own_places;  ///< of the objects in this PE's share
  std::vector<std::uint64_t> objects,
      bytes = {};  ///< for each of these PEs: the objects that it was told of, and the bytes of that
};

/// When a late decision was asked for and applied (sync points), and what became of it.
struct LateFacts {
  std::uint64_t asked_at = 0, applied_at = 0;
  double decide_s = 0;     ///< time that the strategy took while the objects went on
  bool dropped = false;    ///< the decision had become worse than staying
  bool ends_lazy = false;  ///< the job is inline again from here on, as it was faster so
  lb::LateDrift drift;
};

struct Plan {
  lb::StepPlan step = {};  ///< the same on all PEs; of a distributed strategy without the decision
  std::optional<Together> together = {};  ///< of a parallel strategy; else the step's decision holds
  double decide_start = 0;                ///< when the loads were known, by this PE's clock
  /// The reason, a sentence. With --lb auto and a report, lines behind it say what each choice was predicted
  /// to take. On all PEs if one decides for others, else on the first.
  std::string why = {};
  std::vector<int> pinned = {};        ///< the objects that had to stay, ascending
  std::optional<LateFacts> late = {};  ///< with --lb-mode lazy
};

/// Sends the plan from the PE that decides for others to all PEs. Not sent are arrivals, which a plan made
/// for others lacks, Together::own_places, which are another's, and decide_start, which is of a PE's own
/// clock. Collective.
void tell_plan(Plan& plan);

}  // namespace skein::balance
