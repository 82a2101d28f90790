// SPDX-License-Identifier: Apache-2.0
// Who has which rows of which block. A block is one element until a strategy splits it: then its parts are
// elements, each with bands of its rows. Which these are every PE knows, as it knows the mesh.
#pragma once

#include <vector>

#include "mesh.hpp"

namespace samr {

/// A band has so many rows at least, and an even number of them: the ghost cells of a coarser neighbour are
/// means of so many.
inline constexpr int least_rows = 2 * ghost_layers;

/// Rows of a block that one element has.
struct Rows {
  BlockIndex block;
  Span rows;

  /// Which cells there are along a side; a block has `n` by `n`.
  Span along(int side, int n) const { return axis_of(side) == 0 ? rows : Span{0, n}; }
  /// Whether the block goes on behind a side, in another band.
  bool has_seam(int side, int n) const {
    return side == bottom_side ? rows.first > 0 : side == top_side ? rows.end < n : false;
  }

  /// Cells along a side as the coarser block that is beyond it counts them.
  Span on_coarser(int side, int n) const;
  /// Which cells the band needs from beyond a side, and which it has to give there, counted as the coarser
  /// of both counts.
  Span needed(int side, Beyond::Kind beyond, int n) const;
  Span given(int side, Beyond::Kind beyond, int n) const {
    return beyond == Beyond::Kind::coarser ? on_coarser(side, n) : along(side, n);
  }
};

/// Rows, and the element that has them.
struct Part {
  Rows rows;
  BlockIndex element;
};

/// The parts of all blocks that are divided.
class Parts {
 public:
  Parts() = default;
  explicit Parts(std::vector<Part> parts);
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& parts_;
  }

  bool operator==(const Parts& other) const;
  /// Forgets those of blocks that are no leaves any more.
  void keep_leaves(const Mesh& mesh);
  std::size_t count() const { return parts_.size(); }

  /// Of a block of n by n cells, from below; itself, where it is not divided.
  std::vector<Part> of(const BlockIndex& block, int n) const;

 private:
  std::vector<Part> parts_;  // by block, from below
};

/// The bands beyond a side of one.
struct BandsBeyond {
  Beyond::Kind kind = Beyond::Kind::wall;
  std::vector<Part> parts;
};
BandsBeyond bands_beyond(const Mesh& mesh, const Parts& parts, const Rows& rows, int side, int n);

}  // namespace samr
