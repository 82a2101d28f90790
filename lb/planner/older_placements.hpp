// SPDX-License-Identifier: Apache-2.0
// What the steps before the last one have gained: what the fullest PE would take now if the last two or three
// of them had moved nothing.
//
// An interval by itself says this about the last step only (Interval::unmoved_s). That is one observation,
// and often a poor one: where loads change fast, one step's gain may be nothing by chance; and a step that
// moves nothing gains nothing, however much imbalance has come back. The loads of one interval on some older
// placements say more about the same thing, how much more uneven an older placement is, and cost neither a
// message nor a measurement.
//
// Placements by the program itself, and the first one, are not among these: that levelling them gains
// something says nothing about how fast imbalance returns.
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

class OlderPlacements {
 public:
  /// Sums over the placements.
  struct Gained {
    double excess = 0;  // of the fullest PE over what it took, in the unit of loads
    double points = 0;  // since the first of the steps that would have moved nothing
  };

  /// At each step whose interval began with a levelled placement: `snapshot` and sync points of that
  /// interval. Objects that are others than before are known by no older placement.
  Gained add(const Snapshot& snapshot, double points);

 private:
  /// Those of the intervals before, the last one first; it is what Interval::unmoved_s is of.
  static constexpr std::size_t kPlacements = 3;
  struct Placement {
    Assignment pe;
    double points;  // of its interval
  };
  std::vector<std::uint64_t> ids_;  // of the objects
  std::deque<Placement> placements_;
};

}  // namespace skein::lb
