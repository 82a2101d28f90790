// SPDX-License-Identifier: Apache-2.0
#include "scenario.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace moldyn {
namespace {

/// SplitMix64 (Steele, Lea & Flood 2014), started from the number of a site: its numbers depend on nothing
/// else.
class Draws {
 public:
  Draws(std::uint32_t seed, std::uint64_t site) : state_((site << 32 ^ site >> 32) + seed) {}

  /// Returns a number in (0, 1).
  double uniform() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t x = state_;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (static_cast<double>((x ^ x >> 31) >> 12) + 0.5) * 0x1p-52;
  }
  /// Returns a normal number of mean 0 and variance 1 (Box & Muller 1958).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t state_;
};

constexpr int sites_of_a_cube = 4;
constexpr std::array<Vec3, sites_of_a_cube> cube{
    {{0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}}};
/// The density of a liquid near its triple point. Sites are then 1.19 apart, beyond the minimum of the
/// potential.
constexpr double densest = 0.84;

class Lattice {
 public:
  Lattice(const Grid& grid, double density) {
    const double side = std::cbrt(sites_of_a_cube / density);
    for (int axis = 0; axis < 3; ++axis) {
      count_[axis] = std::max(1, static_cast<int>(std::lround(grid.box[axis] / side)));
      side_[axis] = grid.box[axis] / count_[axis];
    }
  }

  /// Returns the number of sites per volume.
  double density() const { return sites_of_a_cube / (side_.x * side_.y * side_.z); }

  /// Calls f(number, place) for the sites of the cubes that touch the cell.
  template <class F>
  void for_each_site_near(const Grid& grid, const skein::Index3& cell, F f) const {
    skein::Index3 from, to;
    for (int axis = 0; axis < 3; ++axis) {
      from[axis] = std::max(0, static_cast<int>(grid.cell_side(axis) * cell[axis] / side_[axis]) - 1);
      to[axis] =
          std::min(count_[axis], static_cast<int>(grid.cell_side(axis) * (cell[axis] + 1) / side_[axis]) + 2);
    }
    for (int x = from[0]; x < to[0]; ++x)
      for (int y = from[1]; y < to[1]; ++y)
        for (int z = from[2]; z < to[2]; ++z)
          for (int k = 0; k < sites_of_a_cube; ++k) {
            const Vec3& in_cube = cube[static_cast<std::size_t>(k)];
            f(number(x, y, z) * sites_of_a_cube + static_cast<std::uint64_t>(k),
              Vec3{(x + in_cube.x) * side_.x, (y + in_cube.y) * side_.y, (z + in_cube.z) * side_.z});
          }
  }

 private:
  std::uint64_t number(int x, int y, int z) const {
    return (static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(count_[1]) +
            static_cast<std::uint64_t>(y)) *
               static_cast<std::uint64_t>(count_[2]) +
           static_cast<std::uint64_t>(z);
  }
  skein::Index3 count_;
  Vec3 side_;
};

bool in_ball(const Parameters& p, const Vec3& x) {
  const Vec3 from_middle = x - Vec3{p.grid.box.x / 4, p.grid.box.y / 2, p.grid.box.z / 2};
  return dot(from_middle, from_middle) < p.radius * p.radius;
}

bool in_wire(const Parameters& p, const Vec3& x) {
  const Vec3 from_axis{0, x.y - p.grid.box.y / 2, x.z - p.grid.box.z / 2};
  return std::abs(x.x - p.grid.box.x / 2) < wire_length(p) / 2 &&
         dot(from_axis, from_axis) < p.radius * p.radius;
}

bool inside_of(const Parameters& p, const Vec3& x) {
  if (p.scenario == Scenario::wire) return in_wire(p, x);
  return p.scenario == Scenario::liquid || in_ball(p, x);
}

/// Returns the drift at x inside the body. Parts of the stretched wire move away from its middle, in
/// proportion.
double drift_of(const Parameters& p, const Vec3& x) {
  if (p.scenario != Scenario::wire) return p.drift;
  return p.drift * (x.x - p.grid.box.x / 2) / (wire_length(p) / 2);
}

/// Returns true if every site is taken, for the liquid and the wire; else the density decides.
bool takes_all_sites(const Parameters& p) {
  return p.scenario == Scenario::liquid || p.scenario == Scenario::wire;
}

}  // namespace

std::vector<Atom> initial_atoms(const Parameters& p, const skein::Index3& cell) {
  const Lattice lattice(p.grid, takes_all_sites(p) ? p.density : std::max(densest, p.density));
  const double thermal = std::sqrt(p.temperature);
  std::vector<Atom> atoms;
  lattice.for_each_site_near(p.grid, cell, [&](std::uint64_t site, const Vec3& x) {
    if (p.grid.cell_of(x) != cell) return;
    Draws draws(p.seed, site);
    const bool inside = inside_of(p, x);
    if (p.scenario == Scenario::wire && !inside) return;
    if (!takes_all_sites(p) && draws.uniform() * lattice.density() > (inside ? p.density : p.outside)) return;
    Vec3 v{thermal * draws.normal(), thermal * draws.normal(), thermal * draws.normal()};
    if (inside) v.x += drift_of(p, x);
    atoms.push_back({site, x, v});
  });
  return atoms;
}

}  // namespace moldyn
