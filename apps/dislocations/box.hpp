// SPDX-License-Identifier: Apache-2.0
// The simulated box, a cube from the origin, and its cells. A cell and those around it are near; all others
// are far (multipole.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "apps/common/vec3.hpp"

namespace dislocations {

using apps::Vec3;

/// A plain struct.
struct Box {
  double side = 1000;
  std::int32_t cells = 4;     ///< along each side; at least 3 if periodic
  std::int32_t periodic = 1;  ///< 0: free; places outside belong to the cells at the border

  int cell_count() const { return cells * cells * cells; }
  double cell_side() const { return side / cells; }

  /// Returns the image of a place in the box; in a free box the place.
  Vec3 wrapped(const Vec3& x) const;
  /// Returns the shift, a multiple of the sides, that makes a difference of two places the shortest among
  /// their images.
  Vec3 shift_to_nearest(const Vec3& difference) const;
  Vec3 nearest(const Vec3& difference) const { return difference + shift_to_nearest(difference); }
  /// Returns the cell of a place. Precondition: wrapped.
  std::int32_t cell_of(const Vec3& x) const;
  Vec3 lowest_corner(std::int32_t cell) const;
  Vec3 middle(std::int32_t cell) const;
  bool are_near(std::int32_t a, std::int32_t b) const;
  /// Returns the cell and those around it, ascending, each once.
  std::vector<std::int32_t> around(std::int32_t cell) const;

  struct Image {
    Vec3 shift;     ///< added to the places in the cell
    double weight;  ///< the weights of all images sum to 1
  };
  /// Returns the images of a cell that are nearest to another: two or more if equally near.
  std::vector<Image> images(std::int32_t of, std::int32_t to) const;

 private:
  int steps_between(std::int32_t a, std::int32_t b, int axis) const;
  int coordinate(std::int32_t cell, int axis) const;
};

}  // namespace dislocations
