// SPDX-License-Identifier: Apache-2.0
// Dark matter: particles that feel only gravity. A particle is in the finest patch at its place.
#pragma once

#include "apps/common/fixed_sum.hpp"
#include "apps/common/vec3.hpp"
#include "potential.hpp"

namespace samr {

/// A particle, with velocities half a step ahead (leapfrog). Particles from another level have moved with
/// other steps, so each has the times of its place and of its velocity.
struct Particle {
  std::int64_t id = 0;
  double mass = 0;
  apps::Vec3 at, velocity;
  double time = 0, velocity_time = 0;
};
using Particles = std::vector<Particle>;

inline Cell cell_of(const apps::Vec3& at, double side) {
  Cell cell{};
  for (std::size_t a = 0; a < axes; ++a)
    cell[a] = static_cast<std::int32_t>(std::floor(at[static_cast<int>(a)] / side));
  return cell;
}

/// Removes and returns the particles for which `leaves` is true.
template <class F>
Particles taken_from(Particles& particles, F leaves) {
  const auto gone = std::stable_partition(particles.begin(), particles.end(),
                                          [&](const Particle& p) { return !leaves(p); });
  Particles taken(gone, particles.end());
  particles.erase(gone, particles.end());
  return taken;
}

/// Exact sums of masses, independent of the order in which particles are added.
using Masses = FieldOf<apps::FixedSum>;

/// Adds the particles' masses to the cells of a level. A particle is a cloud as large as a cell; the domain's
/// walls reflect it.
void add_clouds(const Particles& particles, const Box& domain, double side, Masses& into);

/// Returns the largest sum over axes of velocity.
double fastest_of(const Particles& particles);

/// Advances velocities to `time`. Precondition: `pulls` has the patch's box, grown by two, inside the domain.
void kick(Particles& particles, const Pulls& pulls, const Box& domain, double side, double time);
/// Advances places to `time`; walls reflect.
void drift(Particles& particles, const Box& domain, double side, double time);

}  // namespace samr
