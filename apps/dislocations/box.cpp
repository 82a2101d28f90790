// SPDX-License-Identifier: Apache-2.0
#include "box.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace dislocations {

Vec3 Box::wrapped(const Vec3& x) const {
  if (!periodic) return x;
  Vec3 inside;
  for (int axis = 0; axis < 3; ++axis) {
    inside[axis] = x[axis] - side * std::floor(x[axis] / side);
    if (inside[axis] >= side) inside[axis] = 0;  // by rounding
  }
  return inside;
}

Vec3 Box::shift_to_nearest(const Vec3& difference) const {
  Vec3 shift;
  if (!periodic) return shift;
  for (int axis = 0; axis < 3; ++axis) shift[axis] = -side * std::rint(difference[axis] / side);
  return shift;
}

std::int32_t Box::cell_of(const Vec3& x) const {
  const auto place = [&](double at) {
    return static_cast<std::int32_t>(std::clamp(std::floor(at / side * cells), 0.0, cells - 1.0));
  };
  return (place(x.x) * cells + place(x.y)) * cells + place(x.z);
}

int Box::coordinate(std::int32_t cell, int axis) const {
  return axis == 0 ? cell / (cells * cells) : axis == 1 ? cell / cells % cells : cell % cells;
}

Vec3 Box::lowest_corner(std::int32_t cell) const {
  return cell_side() * Vec3{static_cast<double>(coordinate(cell, 0)),
                            static_cast<double>(coordinate(cell, 1)),
                            static_cast<double>(coordinate(cell, 2))};
}

Vec3 Box::middle(std::int32_t cell) const { return lowest_corner(cell) + 0.5 * cell_side() * Vec3{1, 1, 1}; }

int Box::steps_between(std::int32_t a, std::int32_t b, int axis) const {
  const int steps = std::abs(coordinate(a, axis) - coordinate(b, axis));
  return periodic ? std::min(steps, cells - steps) : steps;
}

bool Box::are_near(std::int32_t a, std::int32_t b) const {
  return steps_between(a, b, 0) <= 1 && steps_between(a, b, 1) <= 1 && steps_between(a, b, 2) <= 1;
}

std::vector<std::int32_t> Box::around(std::int32_t cell) const {
  std::vector<std::int32_t> found;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        int at[3] = {coordinate(cell, 0) + x, coordinate(cell, 1) + y, coordinate(cell, 2) + z};
        bool inside = true;
        for (int& one : at) {
          if (periodic) one = (one + cells) % cells;
          inside = inside && one >= 0 && one < cells;
        }
        if (inside) found.push_back((at[0] * cells + at[1]) * cells + at[2]);
      }
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

std::vector<Box::Image> Box::images(std::int32_t of, std::int32_t to) const {
  std::vector<Image> found{{{}, 1}};
  if (!periodic) return found;
  for (int axis = 0; axis < 3; ++axis) {
    const int steps = coordinate(of, axis) - coordinate(to, axis);
    const std::size_t before = found.size();
    for (std::size_t k = 0; k < before; ++k) {
      Image& image = found[k];
      if (2 * std::abs(steps) < cells) continue;
      const double shift = steps > 0 ? -side : side;
      if (2 * std::abs(steps) == cells) {
        image.weight *= 0.5;
        Image other = image;
        other.shift[axis] = shift;
        found.push_back(other);
      } else {
        image.shift[axis] = shift;
      }
    }
  }
  return found;
}

}  // namespace dislocations
