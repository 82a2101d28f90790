// SPDX-License-Identifier: Apache-2.0
// The finish times below which no move brings PEs. A PE at its floor is as early as it can be, so it tells
// nothing of the limit that the other PEs can keep: without floors one object that is too heavy for all of
// them would let each finish as late.
#pragma once
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

class Floors {
 public:
  /// A PE's floor is its background and pinned objects, and the heaviest of those of its objects that no PE
  /// could finish by `limit`. That object stays, unless another PE is clearly faster. O(n).
  Floors(const Snapshot& snapshot, double limit);

  /// Returns true for an object that stays.
  bool keeps(ObjectIndex object) const { return kept_[snapshot_.objects.pe[object]] == object; }
  /// Returns the largest of the finish times that are above their PEs' floors; 0 if none is.
  double largest_above(std::span<const double> finish) const;

 private:
  static constexpr ObjectIndex kNone = ~ObjectIndex{0};

  const Snapshot& snapshot_;
  std::vector<double> floor_;      // by PE
  std::vector<ObjectIndex> kept_;  // by PE
};

}  // namespace skein::lb
