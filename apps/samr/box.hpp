// SPDX-License-Identifier: Apache-2.0
// Algebra of boxes: sets of cells of one level. Cells are counted over the whole domain of their level; a
// level has twice as many along each axis as the one below.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace samr {

inline constexpr int axes = 3;
inline constexpr int sides = 2 * axes;  ///< side 2a is the lower one of axis a, 2a + 1 the upper one
inline constexpr int refinement = 2;

constexpr int axis_of(int side) { return side / 2; }
constexpr bool is_upper(int side) { return side % 2 == 1; }
constexpr int opposite(int side) { return side ^ 1; }

using Cell = std::array<std::int32_t, axes>;

/// Returns n / 2, rounded down also for negative numbers.
constexpr std::int32_t half_of(std::int32_t n) { return n >> 1; }

/// The cells c with first <= c < end along each axis. All boxes without a cell are equivalent.
struct Box {
  Cell first{}, end{};

  friend auto operator<=>(const Box&, const Box&) = default;

  int length(int axis) const { return end[at(axis)] - first[at(axis)]; }
  bool is_empty() const { return length(0) <= 0 || length(1) <= 0 || length(2) <= 0; }
  std::int64_t cells() const;
  bool contains(const Cell& cell) const;
  /// Precondition: `other` is not empty.
  bool contains(const Box& other) const;
  int longest_axis() const;  ///< the first of equal ones

  Box grown(int cells) const;
  Box grown_along(int axis, int cells) const;
  Box refined() const;
  /// Returns the smallest box of the level below that covers this one.
  Box coarsened() const;
  /// Returns the layer of cells beyond a side.
  Box beyond(int side) const;
  /// Returns the parts below `place` along the axis, and from `place` on.
  std::array<Box, 2> cut(int axis, int place) const;

 private:
  static constexpr std::size_t at(int axis) { return static_cast<std::size_t>(axis); }
};

/// Returns the box in cells of another level: all cells that have a part in it.
Box scaled(Box box, int from_level, int to_level);
inline Box box_of(const Cell& c) { return {c, {c[0] + 1, c[1] + 1, c[2] + 1}}; }
Box common(const Box& a, const Box& b);
inline bool overlap(const Box& a, const Box& b) { return !common(a, b).is_empty(); }

/// Boxes of one level, none of them empty. If the boxes given to a function here do not overlap, neither do
/// its results.
using Boxes = std::vector<Box>;

/// Returns the cells of `box` that are in none of `others`, as disjoint boxes.
Boxes difference(const Box& box, const Boxes& others);
/// Returns the cells of `boxes` that are in none of `others`.
Boxes difference(const Boxes& boxes, const Boxes& others);
std::int64_t cells_of(const Boxes& boxes);
/// Returns the union of two boxes if it is a box, else an empty box.
Box joined(const Box& a, const Box& b);

/// Calls f(cell) for each cell, x fastest.
template <class F>
void for_each_cell(const Box& box, F f) {
  for (std::int32_t z = box.first[2]; z < box.end[2]; ++z)
    for (std::int32_t y = box.first[1]; y < box.end[1]; ++y)
      for (std::int32_t x = box.first[0]; x < box.end[0]; ++x) f(Cell{x, y, z});
}

}  // namespace samr
