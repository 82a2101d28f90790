// SPDX-License-Identifier: Apache-2.0
// The box that is simulated, a cube from the origin, and its cells. What is in a cell or those around it is
// near; all else is far (multipole.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "apps/common/vec3.hpp"

namespace dislocations {

using apps::Vec3;

/// A plain struct.
struct Box {
  double side = 1000;
  std::int32_t cells = 4;     ///< along each side; 3 at least if periodic
  std::int32_t periodic = 1;  ///< 0: free; what is outside belongs to the cells at the border

  int cell_count() const { return cells * cells * cells; }
  double cell_side() const { return side / cells; }

  /// The image in the box; if it is free, the same.
  Vec3 wrapped(const Vec3& x) const;
  /// What makes a difference of two places the shortest among those of their images: a multiple of the sides.
  Vec3 shift_to_nearest(const Vec3& difference) const;
  Vec3 nearest(const Vec3& difference) const { return difference + shift_to_nearest(difference); }
  /// Precondition: wrapped.
  std::int32_t cell_of(const Vec3& x) const;
  Vec3 lowest_corner(std::int32_t cell) const;
  Vec3 middle(std::int32_t cell) const;
  bool are_near(std::int32_t a, std::int32_t b) const;
  /// The cell and those around it, ascending, each once.
  std::vector<std::int32_t> around(std::int32_t cell) const;

  struct Image {
    Vec3 shift;     ///< to be added to the places in the cell
    double weight;  ///< of all images of it together 1
  };
  /// The images of a cell that are nearest to another: two or more where they are as near.
  std::vector<Image> images(std::int32_t of, std::int32_t to) const;

 private:
  int steps_between(std::int32_t a, std::int32_t b, int axis) const;
  int coordinate(std::int32_t cell, int axis) const;
};

}  // namespace dislocations
