// SPDX-License-Identifier: Apache-2.0
#include "octant.hpp"

#include <cmath>

namespace barneshut {
namespace {

/// Returns the 21 lowest bits, with two zeros between each and the next.
std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 32) & 0x001f00000000ffff;
  x = (x | x << 16) & 0x001f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}

/// Inverts spread().
std::uint64_t gathered(std::uint64_t x) {
  x &= 0x1249249249249249;
  x = (x | x >> 2) & 0x10c30c30c30c30c3;
  x = (x | x >> 4) & 0x100f00f00f00f00f;
  x = (x | x >> 8) & 0x001f0000ff0000ff;
  x = (x | x >> 16) & 0x001f00000000ffff;
  return (x | x >> 32) & 0x1fffff;
}

}  // namespace

bool Root::holds(const Vec3& x) const {
  for (int axis = 0; axis < 3; ++axis)
    if (!(x[axis] >= -half_side && x[axis] < half_side)) return false;
  return true;
}

std::uint64_t Root::key_of(const Vec3& x) const {
  std::uint64_t key = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double in_cells = std::floor(std::ldexp(x[axis] / half_side, deepest_level - 1));
    const auto cell = static_cast<std::int64_t>(in_cells) + (std::int64_t{1} << (deepest_level - 1));
    key |= spread(static_cast<std::uint64_t>(cell)) << (2 - axis);
  }
  return key;
}

double Root::side_of(int level) const { return std::ldexp(half_side, 1 - level); }

Vec3 Root::middle_of(const Octant& cell) const {
  Vec3 middle;
  for (int axis = 0; axis < 3; ++axis) {
    const auto corner = static_cast<double>(gathered(cell.first >> (2 - axis)));
    middle[axis] = std::ldexp(corner, 1 - deepest_level) * half_side - half_side + side_of(cell.level) / 2;
  }
  return middle;
}

}  // namespace barneshut
