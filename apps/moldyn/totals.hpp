// SPDX-License-Identifier: Apache-2.0
// Sums over all cells. They are exact, so they do not depend on where the cells are.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/common/fixed_sum.hpp"
#include "atom.hpp"

namespace moldyn {

struct Totals {
  std::uint64_t atoms = 0;
  apps::FixedSum kinetic, potential, virial;
  apps::FixedSum momentum_x, momentum_y, momentum_z;

  void add(const Atom& atom) {
    ++atoms;
    kinetic += 0.5 * dot(atom.v, atom.v);
    momentum_x += atom.v.x;
    momentum_y += atom.v.y;
    momentum_z += atom.v.z;
  }
  Vec3 momentum() const { return {momentum_x.value(), momentum_y.value(), momentum_z.value()}; }

  friend Totals operator+(const Totals& a, const Totals& b) {
    return {a.atoms + b.atoms,          a.kinetic + b.kinetic,       a.potential + b.potential,
            a.virial + b.virial,        a.momentum_x + b.momentum_x, a.momentum_y + b.momentum_y,
            a.momentum_z + b.momentum_z};
  }
};

/// An atom at the end of a run.
struct FinalAtom {
  Atom atom;
  Vec3 force;
};

/// Returns a number whose sum over all atoms is equal if and only if (but for chance) each atom has bitwise
/// equal place, velocity and force.
std::uint64_t fingerprint(const FinalAtom& atom);

}  // namespace moldyn
