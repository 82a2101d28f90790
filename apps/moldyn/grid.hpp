// SPDX-License-Identifier: Apache-2.0
// The periodic box and its cells. The 27 cells around a cell, itself included, are numbered by direction: 0
// to 26, the cell itself 13, and the opposite of d is 26 - d.
#pragma once

#include <algorithm>
#include <cmath>
#include <skein/index.hpp>

#include "apps/common/vec3.hpp"

namespace moldyn {

using apps::Vec3;

inline constexpr int directions = 27, self_direction = 13;
inline constexpr int opposite(int direction) { return directions - 1 - direction; }

/// Returns the step along each axis: -1, 0 or 1.
inline skein::Index3 step_of(int direction) {
  return {direction / 9 - 1, direction / 3 % 3 - 1, direction % 3 - 1};
}

struct Grid {
  Vec3 box;             ///< lengths
  skein::Index3 cells;  ///< along each axis, at least 3: then the 27 cells around a cell are distinct

  double cell_side(int axis) const { return box[axis] / cells[axis]; }
  double shortest_side() const { return std::min({cell_side(0), cell_side(1), cell_side(2)}); }

  /// Returns the place of the atom in the box.
  Vec3 wrapped(Vec3 x) const {
    for (int axis = 0; axis < 3; ++axis) x[axis] -= box[axis] * std::floor(x[axis] / box[axis]);
    return x;
  }

  /// Returns the cell of a wrapped place, which rounding may have put on the upper face of the box.
  skein::Index3 cell_of(const Vec3& x) const {
    skein::Index3 cell;
    for (int axis = 0; axis < 3; ++axis)
      cell[axis] = std::clamp(static_cast<int>(x[axis] / cell_side(axis)), 0, cells[axis] - 1);
    return cell;
  }

  skein::Index3 neighbour(const skein::Index3& cell, int direction) const {
    const skein::Index3 step = step_of(direction);
    skein::Index3 to;
    for (int axis = 0; axis < 3; ++axis) to[axis] = (cell[axis] + step[axis] + cells[axis]) % cells[axis];
    return to;
  }

  /// Returns the shift that moves places in that neighbour beside the cell.
  Vec3 image_shift(const skein::Index3& cell, int direction) const {
    const skein::Index3 step = step_of(direction);
    Vec3 shift;
    for (int axis = 0; axis < 3; ++axis) {
      const int to = cell[axis] + step[axis];
      if (to < 0) shift[axis] = -box[axis];
      if (to >= cells[axis]) shift[axis] = box[axis];
    }
    return shift;
  }

  /// Returns the direction from one cell to another, or -1 if they are not neighbours.
  int direction_to(const skein::Index3& from, const skein::Index3& to) const {
    int direction = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const int step = (to[axis] - from[axis] + cells[axis] + 1) % cells[axis];  // 0, 1, 2: back, none, on
      if (step > 2) return -1;
      direction = 3 * direction + step;
    }
    return direction;
  }
};

}  // namespace moldyn
