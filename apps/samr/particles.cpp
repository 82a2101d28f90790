// SPDX-License-Identifier: Apache-2.0
#include "particles.hpp"

namespace samr {
namespace {

using Signs = std::array<double, axes>;

/// Calls f for the eight cells that a cloud covers, each with its share. A cell beyond the domain is replaced
/// by its mirror image; `signs` are those of mirrored vectors.
template <class F>
void for_each_share(const apps::Vec3& at, const Box& domain, double side, F f) {
  Cell first{};
  std::array<double, axes> upper{};
  for (std::size_t a = 0; a < axes; ++a) {
    const double place = at[static_cast<int>(a)] / side - 0.5, below = std::floor(place);
    first[a] = static_cast<std::int32_t>(below);
    upper[a] = place - below;
  }
  for (int corner = 0; corner < 8; ++corner) {
    Cell cell = first;
    double share = 1;
    Signs signs{1, 1, 1};
    for (std::size_t a = 0; a < axes; ++a) {
      const int step = corner >> a & 1;
      share *= step != 0 ? upper[a] : 1 - upper[a];
      const std::int32_t wanted = cell[a] + step;
      cell[a] = std::clamp(wanted, domain.first[a], domain.end[a] - 1);
      if (cell[a] != wanted) signs[a] = -1;
    }
    f(cell, share, signs);
  }
}

}  // namespace

void add_clouds(const Particles& particles, const Box& domain, double side, Masses& into) {
  for (const Particle& p : particles)
    for_each_share(p.at, domain, side, [&](const Cell& cell, double share, const Signs&) {
      if (into.box().contains(cell)) into[cell] += share * p.mass;
    });
}

double fastest_of(const Particles& particles) {
  double fastest = 0;
  for (const Particle& p : particles)
    fastest = std::max(fastest, std::abs(p.velocity.x) + std::abs(p.velocity.y) + std::abs(p.velocity.z));
  return fastest;
}

void kick(Particles& particles, const Pulls& pulls, const Box& domain, double side, double time) {
  for (Particle& p : particles) {
    if (p.velocity_time >= time) continue;
    apps::Vec3 pull;
    for_each_share(p.at, domain, side, [&](const Cell& cell, double share, const Signs& signs) {
      for (int axis = 0; axis < axes; ++axis)
        pull[axis] +=
            share * signs[static_cast<std::size_t>(axis)] * pull_along(pulls, domain, cell, axis, side);
    });
    p.velocity += (time - p.velocity_time) * pull;
    p.velocity_time = time;
  }
}

void drift(Particles& particles, const Box& domain, double side, double time) {
  for (Particle& p : particles) {
    if (p.time >= time) continue;
    p.at += (time - p.time) * p.velocity;
    p.time = time;
    for (int axis = 0; axis < axes; ++axis) {
      // Keeps particles so far from the upper wall that rounding cannot put them into the cell behind it.
      const double length = side * domain.length(axis), last = length * (1 - 1e-12);
      if (p.at[axis] >= 0 && p.at[axis] <= last) continue;
      p.at[axis] = p.at[axis] < 0 ? -p.at[axis] : std::min(2 * length - p.at[axis], last);
      p.velocity[axis] = -p.velocity[axis];
    }
  }
}

}  // namespace samr
