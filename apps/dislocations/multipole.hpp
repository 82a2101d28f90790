// SPDX-License-Identifier: Apache-2.0
// The stress of far segments: that of each cell by the two lowest moments of its segments about its middle,
//
//   charge[m][k]    = sum b_m l_k               the net line
//   dipole[m][k][n] = sum b_m l_k r_n           r: from the cell's middle to that of the segment
//
// of which the first is zero for closed lines. K. S. Thorne, Rev. Mod. Phys. 52, 299 (1980) and R. LeSar, J.
// M. Rickman, Phys. Rev. B 65, 144110 (2002) have the expansion; higher moments are left out. The stress in a
// cell is interpolated linearly along each axis between its corners. Only the nearest image of a cell of a
// periodic box counts.
#pragma once

#include <array>
#include <vector>

#include "apps/common/fixed_sum.hpp"
#include "box.hpp"
#include "elasticity.hpp"

namespace dislocations {

/// A plain struct. Sums are exact, so they do not depend on the order of addition.
struct Moments {
  std::array<apps::FixedSum, 9> charge;
  std::array<apps::FixedSum, 27> dipole;

  /// Adds a segment whose first end is in the cell with this middle.
  void add(const Straight& segment, const Vec3& middle);
  Moments& operator+=(const Moments& other);
};

/// The moments as floating-point numbers.
struct Multipole {
  using Matrix = std::array<Vec3, 3>;  // rows
  Matrix charge;                       ///< [m][k]
  std::array<Matrix, 3> dipole;        ///< [n][m][k]

  explicit Multipole(const Moments& moments);
  bool is_nil() const;
};

/// Returns the stress at a distance `r` from the middle of the cell.
Stress stress_of(const Material& material, const Multipole& multipole, const Vec3& r);

/// The stress in a cell of everything that is far from it.
class FarField {
 public:
  FarField() = default;
  /// `multipoles`: of all cells.
  FarField(const Material& material, const Box& box, const std::vector<Multipole>& multipoles,
           std::int32_t cell);
  Stress at(const Vec3& place) const;
  /// Returns the number of multipole stresses computed.
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  Vec3 lowest_;
  double side_ = 1;
  std::array<Stress, 8> corners_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace dislocations
