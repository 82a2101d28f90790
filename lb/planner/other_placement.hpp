// SPDX-License-Identifier: Apache-2.0
// Tries placements that the model thinks equally good, if PEs wait longer than the model can explain.
//
// Which objects share a PE determines how long they wait for each other. Of two placements with equally level
// loads, and equally many messages between PEs, one may take a fifth longer (64 ranks on 32 PEs that each
// exchange with fourteen others, levelled by different strategies). No snapshot tells which. But the time of
// an interval beyond its fullest PE's computing bounds the possible gain; and after one interval of another
// placement its time is known.
//
// So, if objects exchange messages and nothing is to be moved, this tries a placement that the model worked
// out anyway, that moves much, and that the model thinks no worse. If the next interval takes longer, in
// parts of the loads, the objects go back. A try costs at most two movements and an interval. It gains, for
// as long as the run has lasted, with probability 1 / (n + 2) after n failed tries, by the rule of
// succession. (Trying what is uncertain while little is lost by it: T. L. Lai, H. Robbins, "Asymptotically
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
  /// The row of a choice that moves objects back to their places before a try.
  static constexpr std::string_view kBack = "back";

  struct Outlook {
    double intervals;  // to come
    const CostModel& cost;
  };

  /// Looks at the model's choice at each step: may change a choice that moves nothing to one that tries
  /// another placement; and after a try, any choice to one that goes back. `snapshot` has the placement of
  /// the interval.
  void look_at(Choice& choice, const Snapshot& snapshot, const Interval& interval, const Outlook& outlook);

 private:
  /// The times of intervals with a placement: means over sync points, in which old intervals weigh less.
  struct PlacementRecord {
    Assignment pe;
    double to_computing = 0;  // length, at most all PEs' computing, in parts of the fullest one's
    double to_perfect = 0;    // length, in parts of the PEs' mean computing
    double points = 0;

    void add(double points_in_it, double of_computing, double of_perfect);
  };

  void see(const Snapshot& snapshot, const Interval& interval);
  bool can_go_back(const Snapshot& snapshot) const;
  void go_back(Choice& choice, const Snapshot& snapshot, const Outlook& outlook);
  void try_another(Choice& choice, const Snapshot& snapshot, const Interval& interval,
                   const Outlook& outlook);

  std::vector<std::uint64_t> ids_;  // of the objects
  PlacementRecord now_, before_;    // before_: the placement that was left for a try
  bool trying_ = false;             // the interval behind was a try
  std::uint64_t in_vain_ = 0;       // failed tries since one succeeded
  std::vector<std::string> tried_;
};

}  // namespace skein::lb
