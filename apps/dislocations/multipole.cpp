// SPDX-License-Identifier: Apache-2.0
#include "multipole.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dislocations {
namespace {

using Matrix = Multipole::Matrix;

Vec3 column(const Matrix& m, int k) { return {m[0][k], m[1][k], m[2][k]}; }
Vec3 times(const Matrix& m, const Vec3& v) { return {dot(m[0], v), dot(m[1], v), dot(m[2], v)}; }

/// Returns e_imk m_mk.
Vec3 axial(const Matrix& m) { return {m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0]}; }

Stress diagonal(double s) { return {s, s, s, 0, 0, 0}; }
Stress symmetric_part(const Matrix& m) {
  return {m[0][0],
          m[1][1],
          m[2][2],
          0.5 * (m[0][1] + m[1][0]),
          0.5 * (m[0][2] + m[2][0]),
          0.5 * (m[1][2] + m[2][1])};
}

struct Derivatives {
  Vec3 r;
  double cube, fifth, seventh;  // of 1 / |r|
  explicit Derivatives(const Vec3& at) : r(at) {
    const double inverse = 1 / std::sqrt(dot(r, r));
    cube = inverse * inverse * inverse;
    fifth = cube * inverse * inverse;
    seventh = fifth * inverse * inverse;
  }
};

/// Returns the integrand of stress_of() in elasticity.cpp with a core of 0, for b_m dx_k = charge[m][k].
Stress of_charge(double edge, const Matrix& charge, const Derivatives& d) {
  const Vec3& r = d.r;
  Matrix turned;  // [i][j] = e_pmi r_p charge[m][j]
  for (int j = 0; j < 3; ++j) {
    const Vec3 one = cross(r, column(charge, j));
    for (int i = 0; i < 3; ++i) turned[static_cast<std::size_t>(i)][j] = one[i];
  }
  const Vec3 g = axial(charge);
  const double gr = dot(g, r);
  Stress stress = -d.cube / (2 * std::numbers::pi) * symmetric_part(turned);
  stress += -2 * edge * d.cube * symmetric_product(g, r);
  stress += 3 * edge * gr * d.fifth * symmetric_product(r, r);
  stress += diagonal(edge * gr * d.cube);
  return stress;
}

/// Returns -d/dr_n of of_charge(), for b_m dx_k r_n = dipole[n][m][k].
Stress of_dipole(double edge, const std::array<Matrix, 3>& dipole, const Derivatives& d) {
  const Vec3& r = d.r;
  Matrix along;   // [m][k] = dipole[n][m][k] r_n
  Matrix turned;  // [i][j] = e_nmi dipole[n][m][j]
  Matrix g;       // [i][n] = e_imk dipole[n][m][k]
  for (int m = 0; m < 3; ++m)
    along[static_cast<std::size_t>(m)] = r.x * dipole[0][static_cast<std::size_t>(m)] +
                                         r.y * dipole[1][static_cast<std::size_t>(m)] +
                                         r.z * dipole[2][static_cast<std::size_t>(m)];
  for (int n = 0; n < 3; ++n) {
    const Vec3 one = axial(dipole[static_cast<std::size_t>(n)]);
    for (int i = 0; i < 3; ++i) g[static_cast<std::size_t>(i)][n] = one[i];
  }
  for (int j = 0; j < 3; ++j) {
    const Matrix nm{column(dipole[0], j), column(dipole[1], j), column(dipole[2], j)};
    // e_nmi = e_inm
    const Vec3 one = axial(nm);
    const Vec3 other = cross(r, column(along, j));
    for (int i = 0; i < 3; ++i)
      turned[static_cast<std::size_t>(i)][j] = d.cube * one[i] - 3 * d.fifth * other[i];
  }
  const double trace = g[0][0] + g[1][1] + g[2][2];
  const Vec3 gr = times(g, r);
  const Vec3 rg = r.x * g[0] + r.y * g[1] + r.z * g[2];
  const double rgr = dot(r, gr);

  // d_n V_i = -2 (delta_in / r^3 - 3 r_i r_n / r^5); the sign of the expansion turns all.
  Stress stress = 1 / (2 * std::numbers::pi) * symmetric_part(turned);
  stress += 2 * edge * d.cube * symmetric_part(g);
  stress += -6 * edge * d.fifth * symmetric_product(gr + rg, r);
  stress += edge * (15 * d.seventh * rgr - 3 * d.fifth * trace) * symmetric_product(r, r);
  // The fourth derivatives of |r| give one such term, -delta_ij d_n V_i two with the opposite sign.
  stress += diagonal(-edge * (d.cube * trace - 3 * d.fifth * rgr));
  return stress;
}

}  // namespace

void Moments::add(const Straight& segment, const Vec3& middle) {
  const Vec3 line = segment.second - segment.first;
  const Vec3 r = 0.5 * (segment.first + segment.second) - middle;
  for (int m = 0; m < 3; ++m)
    for (int k = 0; k < 3; ++k) {
      const auto at = static_cast<std::size_t>(3 * m + k);
      charge[at] += segment.burgers[m] * line[k];
      for (int n = 0; n < 3; ++n)
        dipole[9 * static_cast<std::size_t>(n) + at] += segment.burgers[m] * line[k] * r[n];
    }
}

Moments& Moments::operator+=(const Moments& other) {
  for (std::size_t k = 0; k < charge.size(); ++k) charge[k] += other.charge[k];
  for (std::size_t k = 0; k < dipole.size(); ++k) dipole[k] += other.dipole[k];
  return *this;
}

Multipole::Multipole(const Moments& moments) {
  for (std::size_t m = 0; m < 3; ++m)
    for (std::size_t k = 0; k < 3; ++k) {
      charge[m][static_cast<int>(k)] = moments.charge[3 * m + k].value();
      for (std::size_t n = 0; n < 3; ++n)
        dipole[n][m][static_cast<int>(k)] = moments.dipole[9 * n + 3 * m + k].value();
    }
}

bool Multipole::is_nil() const { return charge == Matrix{} && dipole == std::array<Matrix, 3>{}; }

Stress stress_of(const Material& material, const Multipole& multipole, const Vec3& r) {
  const double edge = 1 / (4 * std::numbers::pi * (1 - material.poisson));
  const Derivatives d(r);
  Stress stress = of_charge(edge, multipole.charge, d);
  stress += of_dipole(edge, multipole.dipole, d);
  return stress;
}

FarField::FarField(const Material& material, const Box& box, const std::vector<Multipole>& multipoles,
                   std::int32_t cell)
    : lowest_(box.lowest_corner(cell)), side_(box.cell_side()) {
  for (std::int32_t of = 0; of < box.cell_count(); ++of) {
    if (box.are_near(cell, of)) continue;
    const Multipole& multipole = multipoles[static_cast<std::size_t>(of)];
    if (multipole.is_nil()) continue;
    const Vec3 middle = box.middle(of);
    for (const Box::Image& image : box.images(of, cell)) {
      evaluations_ += corners_.size();
      for (std::size_t corner = 0; corner < 8; ++corner) {
        const Vec3 place =
            lowest_ + side_ * Vec3{static_cast<double>(corner >> 2), static_cast<double>(corner >> 1 & 1),
                                   static_cast<double>(corner & 1)};
        corners_[corner] += image.weight * stress_of(material, multipole, place - (middle + image.shift));
      }
    }
  }
}

Stress FarField::at(const Vec3& place) const {
  const Vec3 u = 1 / side_ * (place - lowest_);
  Stress stress;
  for (std::size_t corner = 0; corner < 8; ++corner) {
    const double x = corner >> 2 ? u.x : 1 - u.x, y = corner >> 1 & 1 ? u.y : 1 - u.y,
                 z = corner & 1 ? u.z : 1 - u.z;
    stress += x * y * z * corners_[corner];
  }
  return stress;
}

}  // namespace dislocations
