// SPDX-License-Identifier: Apache-2.0
// What balancing gained in a run: the sum over its intervals of what the fullest PE computed, against the
// same with all objects where the program put them,
//     without - with = sum over k of (max over p of unbalanced_s[k][p] - max over p of took_s[k][p]).
// Intervals end in a synchronization of all PEs, so none can begin the next before the fullest one is done:
// both sums are what the run takes at least. What the steps themselves take is in neither.
#pragma once
#include <span>

namespace skein::lb {

class Gain {
 public:
  /// An interval; by PE, as in Interval.
  void add(std::span<const double> took_s, std::span<const double> unbalanced_s);

  double with_s() const { return with_s_; }
  double without_s() const { return without_s_; }

 private:
  double with_s_ = 0, without_s_ = 0;
};

}  // namespace skein::lb
