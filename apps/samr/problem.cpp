// SPDX-License-Identifier: Apache-2.0
#include "problem.hpp"

#include <numbers>

namespace samr {
namespace {

Gas sod(const apps::Vec3& at) { return at.x < 0.5 ? Gas{{1, 0, 0, 0, 1}} : Gas{{0.125, 0, 0, 0, 0.1}}; }

/// An eighth of an explosion of energy 1 in a corner, spread by Gauss's curve: so its sum over cells is
/// exact.
Gas sedov(const Parameters& p, const apps::Vec3& at) {
  const double width = p.radius * std::sqrt(std::numbers::pi);
  const double energy = std::exp(-dot(at, at) / (p.radius * p.radius)) / (width * width * width);
  return {{1, 0, 0, 0, (p.heat_ratio - 1) * energy + 1e-5}};
}

/// A plane front, turned by the same angle about y and z, where it is at a time.
struct Front {
  Front(const Parameters& p, double time) : behind(behind_shock(p.mach, p.heat_ratio)) {
    const double slope = std::tan(p.tilt * std::numbers::pi / 180), length = std::sqrt(1 + 2 * slope * slope);
    normal = {1 / length, slope / length, slope / length};
    place = 0.2 + p.mach * std::sqrt(p.heat_ratio) * time;
    const double speed = behind.velocity(0);
    for (int axis = 0; axis < axes; ++axis)
      behind.at[1 + static_cast<std::size_t>(axis)] = speed * normal[axis];
  }

  Gas at(const apps::Vec3& where) const { return dot(normal, where) > place ? Gas{{1, 0, 0, 0, 1}} : behind; }

  apps::Vec3 normal;
  double place = 0;  // along the normal
  Gas behind;
};

Gas gas_at(const Parameters& p, const apps::Vec3& at, const Front& front) {
  switch (p.problem) {
    case Problem::sod:
      return sod(at);
    case Problem::sedov:
      return sedov(p, at);
    case Problem::shockpool3d:
      break;
  }
  return front.at(at);
}

/// From states at the middles of its eight parts.
State mean_over(const Parameters& p, int level, const Cell& cell, const Front& front) {
  const apps::Vec3 middle = middle_of(p, level, cell);
  const double quarter = 0.25 * p.spacing(level);
  State sum;
  for (const double x : {-quarter, quarter})
    for (const double y : {-quarter, quarter})
      for (const double z : {-quarter, quarter})
        sum += state_of(gas_at(p, middle + apps::Vec3{x, y, z}, front), p.heat_ratio);
  return 0.125 * sum;
}

}  // namespace

Gas behind_shock(double mach, double heat_ratio) {
  const double m2 = mach * mach, g = heat_ratio;
  const double density = (g + 1) * m2 / ((g - 1) * m2 + 2);
  const double pressure = (2 * g * m2 - (g - 1)) / (g + 1);
  return {{density, mach * std::sqrt(g) * (1 - 1 / density), 0, 0, pressure}};
}

apps::Vec3 middle_of(const Parameters& p, int level, const Cell& cell) {
  const double h = p.spacing(level);
  return {(cell[0] + 0.5) * h, (cell[1] + 0.5) * h, (cell[2] + 0.5) * h};
}

Field initial_cells(const Parameters& p, int level, const Box& box) {
  const Front front(p, 0);
  Field cells(box);
  for_each_cell(box, [&](const Cell& c) { cells[c] = mean_over(p, level, c, front); });
  return cells;
}

// Axis by axis, each over all that the others have filled: so corners are filled, too.
void fill_beyond(const Parameters& p, int level, double time, Field& around) {
  const Front front(p, time);
  Box domain = p.domain();
  for (int l = 0; l < level; ++l) domain = domain.refined();
  for (int side = 0; side < sides; ++side) {
    const auto axis = static_cast<std::size_t>(axis_of(side));
    Box beyond = around.box();
    if (is_upper(side))
      beyond.first[axis] = std::max(beyond.first[axis], domain.end[axis]);
    else
      beyond.end[axis] = std::min(beyond.end[axis], domain.first[axis]);
    if (beyond.is_empty()) continue;
    const std::int32_t wall = is_upper(side) ? domain.end[axis] : domain.first[axis];
    for_each_cell(beyond, [&](const Cell& c) {
      if (p.problem == Problem::shockpool3d) {
        around[c] = mean_over(p, level, c, front);
        return;
      }
      Cell mirrored = c;
      mirrored[axis] = 2 * wall - 1 - c[axis];
      State& state = around[c] = around[mirrored];
      state.at[1 + axis] = -state.at[1 + axis];
    });
  }
}

}  // namespace samr
