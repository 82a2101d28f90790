// SPDX-License-Identifier: Apache-2.0
// The links that a message between two nodes passes.
//
// Torus: dimension by dimension, the first one first, each the shorter way round; for equal ways, towards the
// larger coordinate if the destination's is larger. Fat tree: up to the first switch above both nodes, by the
// port that the destination's number gives, so that all routes to one node meet as early as possible
// ("D-mod-k": E. Zahavi, "D-Mod-K routing providing non-blocking traffic for shift permutations on real life
// fat trees", CCIT report 776, 2010), and down.
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
  /// Returns the number of links; a link carries in one direction.
  std::size_t link_count() const { return links_; }
  /// Returns the links in the order of passing. Valid until the next call.
  const std::vector<LinkIndex>& between(std::uint32_t from, std::uint32_t to);

 private:
  void around(std::uint32_t from, std::uint32_t to);
  void up_and_down(std::uint32_t from, std::uint32_t to);

  bool torus_;
  std::size_t links_ = 0;
  std::vector<LinkIndex> route_;
  /// For a torus, by dimension.
  std::vector<std::uint32_t> extent_, stride_;
  std::vector<std::uint32_t> place_;  // of nodes: coordinates
  /// Only for a fat tree: by level, 0 is the level of nodes.
  struct Level {
    std::uint32_t below;   // nodes below a switch
    std::uint32_t copies;  // switches with the same nodes below
    std::uint32_t ports;   // up
    LinkIndex first_link;  // of the links up from here
  };
  std::vector<Level> levels_;
};

}  // namespace skein::simulate
