// SPDX-License-Identifier: Apache-2.0
#include "elasticity.hpp"

#include <cmath>
#include <numbers>

namespace dislocations {

// With R = x - x' and the derivatives by x, the integral along the line (equation 2 with R_a in place of R)
// is
//
//   s_ij = 1/(8 pi) int V_p [e_pmi b_m dx'_j + e_pmj b_m dx'_i]
//        + 1/(4 pi (1 - nu)) int b_m e_pmk [d_p d_i d_j R_a - delta_ij V_p] dx'_k,      V_p = d_p d_q d_q R_a
//
// On a straight segment R = d - s t, where d is the perpendicular from the line to x and s runs along the
// unit vector t from its foot, R_a^2 = A^2 + s^2, A^2 = d^2 + core^2. Only integrals int s^m / R_a^n ds are
// needed.
Stress stress_of(const Material& material, const Straight& segment, const Vec3& at) {
  const Vec3 line = segment.second - segment.first;
  const double length = std::sqrt(dot(line, line));
  const Vec3 t = 1 / length * line;
  const Vec3 from_first = at - segment.first;
  const double along = dot(from_first, t);
  const Vec3 d = from_first - along * t;
  const double core2 = material.core * material.core;
  const double a2 = dot(d, d) + core2;

  const double s1 = -along, s2 = length - along;
  const double r1 = std::sqrt(a2 + s1 * s1), r2 = std::sqrt(a2 + s2 * s2);
  const double cube1 = 1 / (r1 * r1 * r1), cube2 = 1 / (r2 * r2 * r2);
  const double i03 = (s2 / r2 - s1 / r1) / a2;                                   // int 1 / R^3
  const double i13 = 1 / r1 - 1 / r2;                                            // int s / R^3
  const double i05 = (s2 * cube2 - s1 * cube1) / (3 * a2) + 2 * i03 / (3 * a2);  // int 1 / R^5
  const double i15 = (cube1 - cube2) / 3;                                        // int s / R^5
  const double i25 = (s2 * s2 * s2 * cube2 - s1 * s1 * s1 * cube1) / (3 * a2);   // int s^2 / R^5

  const Vec3& b = segment.burgers;
  const Vec3 g = cross(b, t);
  const Vec3 q = (2 * i03 + 3 * core2 * i05) * d - (2 * i13 + 3 * core2 * i15) * t;  // -int V
  const double gd = dot(g, d);

  const double edge = 1 / (4 * std::numbers::pi * (1 - material.poisson));
  Stress stress = -1 / (4 * std::numbers::pi) * symmetric_product(cross(q, b), t);
  stress += -2 * edge * symmetric_product(g, i03 * d - i13 * t);
  stress += 3 * edge * gd * i05 * symmetric_product(d, d);
  stress += -6 * edge * gd * i15 * symmetric_product(d, t);
  stress += 3 * edge * gd * i25 * symmetric_product(t, t);
  const double diagonal = edge * (dot(g, q) - gd * i03);
  stress += Stress{diagonal, diagonal, diagonal, 0, 0, 0};
  return stress;
}

}  // namespace dislocations
