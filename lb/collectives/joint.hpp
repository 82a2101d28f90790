// SPDX-License-Identifier: Apache-2.0
// The exchange between the PEs of a joint operation (runtime/vmpi/coll/joint/joint.hpp): a few PEs send their
// data to each other; more form a tree, up which data goes, and down which the result goes. PEs are numbered
// 0, 1, ..., counting only those that have members.
//
// Operations of virtual ranks and simulated ones both use it.
#pragma once

#include <algorithm>

namespace skein::collectives {

struct JointTree {
  static constexpr int most_direct = 4;  ///< up to this many PEs send to each other
  static constexpr int fan_in = 4;       ///< children in a tree of more

  int size, own;

  bool direct() const { return size <= most_direct; }
  int parent() const { return (own - 1) / fan_in; }
  int first_child() const { return own * fan_in + 1; }
  int children() const { return std::clamp(size - first_child(), 0, fan_in); }
  /// Returns from how many others a PE must hear before it knows the data of all in its part.
  int heard_of() const { return direct() ? size - 1 : children(); }
  /// Returns the index of PE `other` among these.
  int place_of(int other) const {
    return !direct() ? other - first_child() : other < own ? other : other - 1;
  }
  /// Returns true if PE `other` is this one or below it in the tree.
  bool has_below(int other) const {
    while (other > own) other = (other - 1) / fan_in;
    return other == own;
  }
};

}  // namespace skein::collectives
