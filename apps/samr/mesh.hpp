// SPDX-License-Identifier: Apache-2.0
// Which blocks there are: the leaves of quadtrees that stand side by side on a grid of roots. Blocks that
// touch differ by at most one level (2:1 balance). Every PE has the whole mesh, so that a block finds its
// neighbours without asking: some bytes a block.
#pragma once

#include <skein/skein.hpp>
#include <vector>

#include "patch.hpp"

namespace samr {

/// (level, x, y): x and y count blocks of that level.
using BlockIndex = skein::Index3;

inline BlockIndex parent_of(const BlockIndex& b) { return {b[0] - 1, b[1] / 2, b[2] / 2}; }
inline BlockIndex child_of(const BlockIndex& b, int x, int y) {
  return {b[0] + 1, 2 * b[1] + x, 2 * b[2] + y};
}

/// What a block wants to be, for what is in it.
enum class Wish : std::int32_t { coarser, same, finer };
struct BlockWish {
  BlockIndex block;
  Wish wish = Wish::same;
};

/// What is beyond a side: a block of the same level or a coarser one; or two finer ones; or the end of the
/// domain.
struct Beyond {
  enum class Kind { wall, same, coarser, finer } kind = Kind::wall;
  std::array<BlockIndex, 2> blocks;  ///< the second only of finer ones
};

/// What the one side is for the other.
inline Beyond::Kind reversed(Beyond::Kind kind) {
  return kind == Beyond::Kind::coarser ? Beyond::Kind::finer
         : kind == Beyond::Kind::finer ? Beyond::Kind::coarser
                                       : kind;
}

class Mesh {
 public:
  Mesh() = default;
  /// Of roots alone.
  Mesh(int roots_x, int roots_y);
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& roots_& leaves_;
  }

  /// Sorted.
  const std::vector<BlockIndex>& leaves() const { return leaves_; }
  bool is_leaf(const BlockIndex& block) const;
  Beyond beyond(const BlockIndex& block, int side) const;

  /// The mesh that follows the wishes of all leaves, which may say several: the finest counts. A leaf becomes
  /// at most one level finer or coarser.
  /// Around one that wants to be finer, all are refined as far, so that what moves stays in the refined
  /// region for a while. Blocks become coarser where all four children of a parent can.
  Mesh adapted(const std::vector<BlockWish>& wishes, int finest) const;

 private:
  bool inside(const BlockIndex& block) const;

  skein::Index2 roots_;
  std::vector<BlockIndex> leaves_;
};

}  // namespace samr
