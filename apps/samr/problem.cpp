// SPDX-License-Identifier: Apache-2.0
#include "problem.hpp"

#include <numbers>

namespace samr {
namespace {

constexpr double pancake_amplitude = 0.2;

Gas sod(const apps::Vec3& at) { return at.x < 0.5 ? Gas{{1, 0, 0, 0, 1}} : Gas{{0.125, 0, 0, 0, 0.1}}; }

/// Returns an eighth of an explosion of energy 1 in a corner, spread by Gauss's curve, so that its sum over
/// cells is exact.
Gas sedov(const Parameters& p, const apps::Vec3& at) {
  const double width = p.radius * std::sqrt(std::numbers::pi);
  const double energy = std::exp(-dot(at, at) / (p.radius * p.radius)) / (width * width * width);
  return {{1, 0, 0, 0, (p.heat_ratio - 1) * energy + 1e-5}};
}

/// Returns the density of a sphere of density 1 around a corner, in thin, cold gas.
double sphere(const Parameters& p, const apps::Vec3& at) {
  return dot(at, at) < p.radius * p.radius ? 1 : 0.01;
}

/// Returns density 1, increased in some places by heaps of Gauss's shape.
double heaps(const apps::Vec3& at) {
  struct Heap {
    apps::Vec3 middle;
    double height, width;
  };
  constexpr Heap all[] = {{{0.31, 0.36, 0.42}, 12, 0.07}, {{0.44, 0.29, 0.36}, 8, 0.05},
                          {{0.36, 0.63, 0.58}, 10, 0.05}, {{0.68, 0.41, 0.61}, 6, 0.08},
                          {{0.62, 0.70, 0.33}, 8, 0.04},  {{0.55, 0.56, 0.72}, 5, 0.06}};
  double density = 1;
  for (const Heap& heap : all) {
    const apps::Vec3 off = at - heap.middle;
    density += heap.height * std::exp(-dot(off, off) / (2 * heap.width * heap.width));
  }
  return density;
}

/// Returns the density of gas and particles together, in problems with gravity.
double density_at(const Parameters& p, const apps::Vec3& at) {
  switch (p.problem) {
    case Problem::collapse:
      return sphere(p, at);
    case Problem::amr64:
    case Problem::amr128:
      return heaps(at);
    default:
      return 1;
  }
}

Gas cold(const Parameters& p, const apps::Vec3& at) {
  constexpr double pressure = 1e-4;
  return {{p.gas_share * density_at(p, at), 0, 0, 0, p.gas_share * pressure}};
}

/// A plane front at a time, turned by the same angle about y and z.
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
      return front.at(at);
    default:
      return cold(p, at);
  }
}

/// Returns the mean of the states at the middles of the cell's eight parts.
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

// A particle in the middle of each cell of level 0. The particles of the pancake are displaced along x by a
// wave, and fall together at its upper end.
Particles initial_particles(const Parameters& p, const Box& box) {
  Particles found;
  if (!p.has_particles()) return found;
  const double side = p.spacing(0), share = (1 - p.gas_share) * side * side * side;
  Box from = p.domain();
  if (p.problem != Problem::pancake) from = box;
  for_each_cell(from, [&](const Cell& c) {
    Particle particle;
    particle.id = (std::int64_t{c[2]} * p.cells[1] + c[1]) * p.cells[0] + c[0];
    particle.at = middle_of(p, 0, c);
    particle.mass = share * density_at(p, particle.at);
    if (p.problem == Problem::pancake)
      particle.at.x += pancake_amplitude / std::numbers::pi * std::sin(std::numbers::pi * particle.at.x);
    if (box.contains(cell_of(particle.at, side))) found.push_back(particle);
  });
  return found;
}

// Fills axis by axis, each over the cells that the last axes have filled: so corners are filled, too.
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
