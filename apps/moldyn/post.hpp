// SPDX-License-Identifier: Apache-2.0
// The post of a PE, between cells and pairs on different PEs: a cell's frame goes to the PE once, whatever
// number of pairs needs it there, and their answers come back in one message (as the proxy patches of NAMD:
// Kale et al., J. Comput. Phys. 151, 1999).
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "pair.hpp"

namespace moldyn {

class Post : public skein::Chare<Post, skein::Index1> {
 public:
  Post() = default;
  Post(const Parameters& parameters, skein::Array<Pair> pairs, skein::Array<Cell> cells)
      : grid_(parameters.grid), pairs_(pairs), cells_(cells) {}

  /// Gives a frame to the pairs of a cell in these directions, bits of a word. Pairs that have moved on get
  /// it there, and answer the cell themselves.
  void hand_out(const skein::Index3& cell, std::uint32_t to_directions, const SharedFrame& frame);
  /// Collects an answer from a pair here. The last missing one sends all.
  void collect(const skein::Index3& cell, DirectedPush push);

 private:
  struct Answers {
    int missing = 0;
    std::vector<DirectedPush> pushes;
  };
  using Key = std::tuple<int, int, int>;
  static Key key(const skein::Index3& cell) { return {cell[0], cell[1], cell[2]}; }

  Grid grid_;
  skein::Array<Pair> pairs_;
  skein::Array<Cell> cells_;
  std::map<Key, Answers> answers_;  // by cell
};

}  // namespace moldyn
