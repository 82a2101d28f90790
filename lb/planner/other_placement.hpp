// SPDX-License-Identifier: Apache-2.0
// Tries placements that are as good by all that the model knows, where PEs wait more than it can explain.
//
// Which objects share a PE decides how long they wait for each other. Of two placements with loads as level,
// and as many messages between PEs, one may take a fifth longer (of 64 ranks on 32 PEs that exchange with
// fourteen others each, by what strategy they were levelled). No snapshot says which. But what an interval
// takes beyond its fullest PE's computing says how much there is to have at most; and whoever tries another
// placement knows after an interval.
//
// So, where objects exchange messages and nothing is to be moved, one is tried that the model worked out
// anyway, that moves much, and that the model thinks no worse. If the interval after it takes longer, in
// parts of the loads, the objects go back. That costs two movements and an interval at worst; it gains for as
// long as the run has lasted, by the rule of succession with probability 1 / (n + 2) after n that brought
// nothing. (Trying what is uncertain while little is lost by it: T. L. Lai, H. Robbins, "Asymptotically
// efficient adaptive allocation rules", Advances in Applied Mathematics 6 (1985).) Each strategy is tried
// once, until the model moves something.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "skein/lb/interval.hpp"
#include "skein/lb/model.hpp"

namespace skein::lb {

class OtherPlacement {
 public:
  /// The row of a choice that moves objects to where they were before one was tried.
  static constexpr std::string_view kBack = "back";

  struct Outlook {
    double intervals;  // to come
    const CostModel& cost;
  };

  /// At each step, with what was chosen by the model: may change a choice that moves nothing to one that
  /// tries another placement, and after a try any to one that goes back. `snapshot`: with the interval's
  /// placement.
  void look_at(Choice& choice, const Snapshot& snapshot, const Interval& interval, const Outlook& outlook);

 private:
  /// What intervals with a placement took, the older the less: means over sync points.
  struct PlacementRecord {
    Assignment pe;
    double to_computing = 0;  // length, as far as one PE at least computed, in parts of the fullest one's
    double to_perfect = 0;    // in parts of what PEs computed on average
    double points = 0;

    void add(double points_in_it, double of_computing, double of_perfect);
  };

  void see(const Snapshot& snapshot, const Interval& interval);
  bool can_go_back(const Snapshot& snapshot) const;
  void go_back(Choice& choice, const Snapshot& snapshot, const Outlook& outlook);
  void try_another(Choice& choice, const Snapshot& snapshot, const Interval& interval,
                   const Outlook& outlook);

  std::vector<std::uint64_t> ids_;  // of the objects
  PlacementRecord now_, before_;    // before_: of the placement that was left for a try
  bool trying_ = false;             // the interval behind was a try
  std::uint64_t in_vain_ = 0;       // tries since one was kept
  std::vector<std::string> tried_;
};

}  // namespace skein::lb
