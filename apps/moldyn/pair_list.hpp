// SPDX-License-Identifier: Apache-2.0
// The pairs of atoms that may come within the cutoff (Verlet, Phys. Rev. 159, 1967), of two cells or within
// one, and the forces between them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apps/common/vec3.hpp"
#include "lennard_jones.hpp"

namespace moldyn {

using apps::Vec3;

struct PairEnergies {
  double potential = 0;
  double virial = 0;  ///< the sum of force times distance: for the pressure
};

class PairList {
 public:
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& first_& partners_;
  }

  /// Lists the pairs of `a` and `b` closer than `reach`, with places in b displaced by `shift`.
  void find(std::span<const Vec3> a, std::span<const Vec3> b, const Vec3& shift, double reach);
  /// Lists the pairs within `a`.
  void find_within(std::span<const Vec3> a, double reach);

  bool empty() const { return partners_.empty(); }

  /// Adds the forces of the listed pairs within the cutoff. The atoms are those given to find(), after
  /// moving; for find_within(), b is a, and force_b force_a. Sums are in the order of the atoms.
  PairEnergies add_forces(const LennardJones& potential, std::span<const Vec3> a, std::span<const Vec3> b,
                          const Vec3& shift, std::span<Vec3> force_a, std::span<Vec3> force_b) const;

 private:
  void find_from(std::span<const Vec3> a, std::span<const Vec3> b, const Vec3& shift, double reach,
                 bool within);

  std::vector<std::uint32_t> first_;     // partners of atom i of a: partners_[first_[i]] to [first_[i + 1]]
  std::vector<std::uint32_t> partners_;  // atoms of b
};

}  // namespace moldyn
