// SPDX-License-Identifier: Apache-2.0
// The cells of the octree: the root is a cube around the origin, its octants are cubes, and so on. A cell is
// named by its level and the first key in it; a key is the Morton number of a place, three bits a level.
// After M. S. Warren, J. K. Salmon, "A parallel hashed oct-tree N-body algorithm", Supercomputing 1993.
#pragma once

#include <compare>
#include <cstdint>

#include "apps/common/vec3.hpp"

namespace barneshut {

using apps::Vec3;

inline constexpr int deepest_level = 21;

/// A cell: the keys from `first` on that agree with it in `level` digits of three bits.
struct Octant {
  std::uint64_t first = 0;
  std::int32_t level = 0;

  friend auto operator<=>(const Octant&, const Octant&) = default;

  std::uint64_t keys() const { return std::uint64_t{1} << (3 * (deepest_level - level)); }
  std::uint64_t end() const { return first + keys(); }
  bool holds(std::uint64_t key) const { return key - first < keys(); }
  /// Returns an octant. Precondition: level < deepest_level, 0 <= which < 8.
  Octant child(int which) const {
    return {first + static_cast<std::uint64_t>(which) * (keys() / 8), level + 1};
  }
};

/// The cube [-half_side, half_side)^3. A plain struct.
struct Root {
  double half_side = 0;  ///< a power of two, so that the sides of cells are exact

  /// Returns whether the root contains x; false for coordinates that are no numbers.
  bool holds(const Vec3& x) const;
  /// Returns the key of a place. Precondition: holds(x).
  std::uint64_t key_of(const Vec3& x) const;
  double side_of(int level) const;
  Vec3 middle_of(const Octant& cell) const;
};

}  // namespace barneshut
