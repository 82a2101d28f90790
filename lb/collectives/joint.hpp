// SPDX-License-Identifier: Apache-2.0
// How the PEs of a joint operation (runtime/vmpi/coll/joint/joint.hpp) tell each other what they have: a few
// give it to each other; more are a tree, up which it goes, and what comes of it down. PEs are named by 0, 1,
// ..., those that have members alone.
//
// The operations of virtual ranks go so, and those that are simulated.
#pragma once

#include <algorithm>

namespace skein::collectives {

struct JointTree {
  static constexpr int most_direct = 4;  ///< so many give what they have to each other
  static constexpr int fan_in = 4;       ///< children in a tree of more

  int size, own;

  bool direct() const { return size <= most_direct; }
  int parent() const { return (own - 1) / fan_in; }
  int first_child() const { return own * fan_in + 1; }
  int children() const { return std::clamp(size - first_child(), 0, fan_in); }
  /// How many others a PE hears from before it knows what all have.
  int heard_of() const { return direct() ? size - 1 : children(); }
  /// Which of these that one is.
  int place_of(int other) const {
    return !direct() ? other - first_child() : other < own ? other : other - 1;
  }
  /// Whether that one is here, or below.
  bool has_below(int other) const {
    while (other > own) other = (other - 1) / fan_in;
    return other == own;
  }
};

}  // namespace skein::collectives
