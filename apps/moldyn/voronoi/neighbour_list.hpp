// SPDX-License-Identifier: Apache-2.0
// The atoms around each atom of a process, its own and those of others (Verlet, Phys. Rev. 159, 1967), and
// their effect on it. Each pair is listed on both sides, and each atom's neighbours come in an order that
// follows from all atoms alone: sums are bitwise equal whichever process has the atom.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apps/common/vec3.hpp"
#include "embedded_atom.hpp"

namespace moldyn {

using apps::Vec3;

class NeighbourList {
 public:
  /// Lists for each of `own`, numbers of atoms, the atoms of `places`, by number, that are closer than
  /// `reach`. Returns the number of candidates. Precondition: a greater number means a greater id.
  std::uint64_t find(std::span<const Vec3> places, std::span<const std::uint32_t> own, double reach);

  /// Returns the number of all listed pairs.
  std::uint64_t pairs() const { return neighbours_.size(); }
  std::uint64_t pairs_of(std::size_t i) const { return first_[i + 1] - first_[i]; }

  /// Sums, for each of own() at the places given, its density and its energy of repulsion.
  void sum_terms(const EmbeddedAtom& potential, std::span<const Vec3> places, std::span<double> density,
                 std::span<double> repulsion) const;
  /// Sums the force on each of own(). `slope`: of the embedding of each atom, by number.
  void sum_forces(const EmbeddedAtom& potential, std::span<const Vec3> places, std::span<const double> slope,
                  std::span<Vec3> force) const;

 private:
  /// Calls f(i, neighbour, apart, distance2) for the neighbours of the i-th of own() within the cutoff.
  template <class F>
  void for_each_within(double cutoff2, std::span<const Vec3> places, std::size_t i, F f) const;

  std::vector<std::uint32_t> own_;
  std::vector<std::uint32_t>
      first_;  // neighbours of the i-th of own: neighbours_[first_[i]] to [first_[i + 1]]
  std::vector<std::uint32_t> neighbours_;
};

}  // namespace moldyn
