// SPDX-License-Identifier: Apache-2.0
// The cells of a block, and what of them goes to other blocks. Sides are 0 to 3: left, right, bottom, top.
// Along a side cells are counted by the other coordinate, upwards; depth 0 is beside the side.
#pragma once

#include <array>
#include <vector>

#include "sweep.hpp"

namespace samr {

inline constexpr int sides = 4;
inline constexpr int axis_of(int side) { return side / 2; }
inline constexpr bool is_upper(int side) { return side % 2 == 1; }
inline constexpr int opposite(int side) { return side ^ 1; }

/// Ghost cells of a side: depth * n + place along it.
using Strip = std::vector<State>;

class Patch {
 public:
  Patch() = default;
  explicit Patch(int n) : n_(n), cells_(static_cast<std::size_t>(n * n)) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& n_& cells_;
  }

  int n() const { return n_; }
  State& at(int i, int j) { return cells_[static_cast<std::size_t>(j * n_ + i)]; }
  const State& at(int i, int j) const { return cells_[static_cast<std::size_t>(j * n_ + i)]; }
  const std::vector<State>& cells() const { return cells_; }

  /// What a neighbour needs beyond its side, this block being beyond: of the same level;
  Strip strip(int side) const;
  /// one level coarser: means of four cells, half as many;
  Strip coarse_strip(int side) const;
  /// one level finer, along half 0 or 1 of the side: linear along the side, limited.
  Strip fine_strip(int side, int half) const;
  /// Ghost cells that mirror the block: a wall.
  Strip mirrored_strip(int side) const;
  /// Ghost cells that continue the block: what comes goes out.
  Strip continued_strip(int side) const;

  /// The quarter (x, y) on the next finer level: linear, limited. Sums stay the same.
  Patch refined(int x, int y) const;
  /// Takes means of four cells of a child as the quarter (x, y).
  void take_coarsened(int x, int y, const Patch& child);

  /// A row of cells along the axis with the ghost cells of its ends, turned so that the axis is x.
  void row(int axis, int k, const Strip& lower, const Strip& upper, std::span<State> out) const;
  /// Adds what flows in through the faces of a row; fluxes are turned.
  void update_row(int axis, int k, double ratio, std::span<const State> fluxes);

 private:
  const State& beside(int side, int depth, int k) const;

  int n_ = 0;
  std::vector<State> cells_;
};

}  // namespace samr
