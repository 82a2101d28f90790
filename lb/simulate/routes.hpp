// SPDX-License-Identifier: Apache-2.0
// Which links a message between two nodes passes.
//
// Torus: dimension by dimension, the first one first, each the shorter way round; where both are equally
// long, towards the larger coordinate if the destination's is larger. Fat tree: up to the first switch that
// both nodes are below, by the port that the destination's number says, so that all ways to one node meet as
// early as they can ("D-mod-k": E. Zahavi, "D-Mod-K routing providing non-blocking traffic for shift
// permutations on real life fat trees", CCIT report 776, 2010), and down.
#pragma once
#include <cstdint>
#include <vector>

#include "skein/lb/platform.hpp"

namespace skein::simulate {

using LinkIndex = std::uint32_t;

class Routes {
 public:
  /// Precondition: the platform is a valid torus or fat tree.
  explicit Routes(const Platform& platform);
  /// A link carries in one direction.
  std::size_t link_count() const { return links_; }
  /// In the order of passing. Lasts until the next call.
  const std::vector<LinkIndex>& between(std::uint32_t from, std::uint32_t to);

 private:
  void around(std::uint32_t from, std::uint32_t to);
  void up_and_down(std::uint32_t from, std::uint32_t to);

  bool torus_;
  std::size_t links_ = 0;
  std::vector<LinkIndex> route_;
  /// Only for a torus, by dimension.
  std::vector<std::uint32_t> extent_, stride_;
  std::vector<std::uint32_t> place_;  // of nodes: coordinates
  /// Only for a fat tree: by level, 0 is the nodes'.
  struct Level {
    std::uint32_t below;   // nodes below a switch
    std::uint32_t copies;  // switches with the same nodes below
    std::uint32_t ports;   // up
    LinkIndex first_link;  // of those up from here
  };
  std::vector<Level> levels_;
};

}  // namespace skein::simulate
