// SPDX-License-Identifier: Apache-2.0
// Recursive sectioning: the box is cut into slabs along X, each slab along Y, and each of these parts along
// Z, so that each process has one domain. Borders are shifted by the domains' loads. After ParaDiS: V.
// Bulatov et al., "Scalable line dynamics in ParaDiS", Supercomputing 2004.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "apps/dislocations/box.hpp"

namespace dislocations {

class Sections {
 public:
  Sections() = default;
  /// Makes sections of equal sizes.
  Sections(const Box& box, std::array<int, 3> counts);

  /// Returns the domain of a place. Domains are numbered along Z first, along X last.
  std::int32_t domain_of(const Vec3& x) const;

  /// Moves each border to where the loads on both sides would be even if the load were uniform in each
  /// section, but at most by half of the section that it moves into. So a large imbalance takes several
  /// calls: this is a diffusive method. `loads`: of all domains.
  void shift(std::span<const double> loads);

  std::span<const double> borders_x() const { return x_; }

 private:
  std::array<int, 3> counts_{1, 1, 1};
  std::vector<double> x_;                            // counts + 1 borders
  std::vector<std::vector<double>> y_;               // of each slab
  std::vector<std::vector<std::vector<double>>> z_;  // of each part of each slab
};

/// Returns the new borders of one row of sections, for the old ones and the load between each two.
std::vector<double> shifted_borders(std::span<const double> borders, std::span<const double> loads);

}  // namespace dislocations
