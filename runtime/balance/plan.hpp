// SPDX-License-Identifier: Apache-2.0
// What an LB step is to do, as decision_scheme.hpp makes it; and the same as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "skein/lb/late.hpp"
#include "skein/lb/planner.hpp"

namespace skein::balance {

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
  lb::StepPlan step = {};  ///< the same on all PEs; of a distributed strategy without the decision
  std::optional<Together> together = {};  ///< of a parallel strategy; else the step's decision holds
  double decide_start = 0;                ///< when the loads were known, this PE's clock
  /// A sentence; with --lb auto, where a report is written, in lines behind it what each choice was predicted
  /// to take. Of those who decide for others on all PEs, else on the first.
  std::string why = {};
  std::vector<int> pinned = {};        ///< the objects that had to stay, ascending
  std::optional<LateFacts> late = {};  ///< with --lb-mode lazy
};

/// The PE that decides for others tells all PEs its plan: all of it but arrivals, which a plan made for
/// others has not, Together::own_places, which are another's, and decide_start, which is of a PE's own clock.
/// Collective.
void tell_plan(Plan& plan);

}  // namespace skein::balance
