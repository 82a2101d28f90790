// SPDX-License-Identifier: Apache-2.0
// Dark matter: particles that feel gravity alone. They are with the patch of the finest level where they are.
#pragma once

#include "apps/common/fixed_sum.hpp"
#include "apps/common/vec3.hpp"
#include "potential.hpp"

namespace samr {

/// A plain struct. Leapfrog: velocities are half a step ahead. What comes from another level has gone with
/// other steps, so each particle says what times its place and its velocity are of.
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

/// Takes those out of it that `leaves` names.
template <class F>
Particles taken_from(Particles& particles, F leaves) {
  const auto gone = std::stable_partition(particles.begin(), particles.end(),
                                          [&](const Particle& p) { return !leaves(p); });
  Particles taken(gone, particles.end());
  particles.erase(gone, particles.end());
  return taken;
}

/// Exact, so that it does not matter in which order particles are added.
using Masses = FieldOf<apps::FixedSum>;

/// Adds the particles' masses to the cells of a level that have a share of them: a cloud is as large as a
/// cell. Beyond the domain it is reflected.
void add_clouds(const Particles& particles, const Box& domain, double side, Masses& into);

/// The largest sum over axes of velocity.
double fastest_of(const Particles& particles);

/// Velocities to that time. Precondition: `pulls` has the patch's box, grown by two, in the domain.
void kick(Particles& particles, const Pulls& pulls, const Box& domain, double side, double time);
/// Places to that time; walls reflect.
void drift(Particles& particles, const Box& domain, double side, double time);

}  // namespace samr
