// SPDX-License-Identifier: Apache-2.0
// A rectangle of cells, and what of them goes to other rectangles. Sides are 0 to 3: left, right, bottom,
// top. Along a side cells are counted by the other coordinate, upwards; depth 0 is beside the side.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sweep.hpp"

namespace samr {

inline constexpr int sides = 4;
inline constexpr int left_side = 0, bottom_side = 2, top_side = 3;
inline constexpr int axis_of(int side) { return side / 2; }
inline constexpr bool is_upper(int side) { return side % 2 == 1; }
inline constexpr int opposite(int side) { return side ^ 1; }

/// Numbers of cells in a row: from `first` to before `end`.
struct Span {
  std::int32_t first = 0, end = 0;

  int size() const { return end - first; }
  friend bool operator==(const Span&, const Span&) = default;
};
/// What both have; of no size, if they have nothing.
inline Span common(const Span& a, const Span& b) {
  const int first = std::max(a.first, b.first);
  return {first, std::max(first, std::min(a.end, b.end))};
}

/// Ghost cells of a side: depth * width + place along it.
using Strip = std::vector<State>;

/// The ghost cells beyond a side behind which cells are twice as large: linear along the side, limited, and
/// constant across. `coarse` has the cells `known` of the coarser block, which has `n` along the side; places
/// along the side are those of the coarser block, halved.
Strip interpolated(std::span<const State> coarse, const Span& known, int n, const Span& fine);

/// The smaller of both differences, where they agree in sign: else none.
State limited_slope(const State& before, const State& here, const State& behind);

class Patch {
 public:
  Patch() = default;
  Patch(int columns, int rows)
      : columns_(columns), rows_(rows), cells_(static_cast<std::size_t>(columns * rows)) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& columns_& rows_& cells_;
  }

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  /// Cells along a side.
  int along(int side) const { return axis_of(side) == 0 ? rows_ : columns_; }
  State& at(int i, int j) { return cells_[static_cast<std::size_t>(j * columns_ + i)]; }
  const State& at(int i, int j) const { return cells_[static_cast<std::size_t>(j * columns_ + i)]; }
  const std::vector<State>& cells() const { return cells_; }

  /// The cells of these places along a side, so many layers deep.
  Strip strip(int side, const Span& places, int layers = ghost_layers) const;
  /// The same for a neighbour one level coarser: means of four cells, half as many. `places` are even.
  Strip coarse_strip(int side, const Span& places) const;
  /// Ghost cells that mirror the patch: a wall.
  Strip mirrored_strip(int side) const;
  /// Ghost cells that continue the patch: what comes goes out.
  Strip continued_strip(int side) const;

  /// Means of four cells.
  Patch coarsened() const;
  /// Copies a piece to the place of which (x, y) is the lower left.
  void paste(int x, int y, const Patch& piece);
  /// Takes the rows off from this one on.
  Patch cut(int row);
  /// Puts rows on top.
  void append(const Patch& above);

  /// A line of cells along the axis with the ghost cells of its ends, turned so that the axis is x.
  void line(int axis, int k, const Strip& lower, const Strip& upper, std::span<State> out) const;
  /// Adds what flows in through the faces of a line; fluxes are turned.
  void update_line(int axis, int k, double ratio, std::span<const State> fluxes);

 private:
  const State& beside(int side, int depth, int k) const;
  int across(int axis) const { return axis == 0 ? columns_ : rows_; }

  int columns_ = 0, rows_ = 0;
  std::vector<State> cells_;
};

}  // namespace samr
