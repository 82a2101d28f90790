// SPDX-License-Identifier: Apache-2.0
// Mass, centre of mass and quadrupole moment of the bodies of a cell.
#pragma once

#include "apps/common/vec3.hpp"

namespace barneshut {

using apps::Vec3;

/// Sum of m (3 d d - d^2 1) over the bodies, d from the centre of mass: symmetric, traceless.
struct Quadrupole {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

  /// Returns the quadrupole of a mass at d.
  static Quadrupole of(double mass, const Vec3& d);
  Quadrupole& operator+=(const Quadrupole& b);
  friend Vec3 operator*(const Quadrupole& q, const Vec3& d) {
    return {q.xx * d.x + q.xy * d.y + q.xz * d.z, q.xy * d.x + q.yy * d.y + q.yz * d.z,
            q.xz * d.x + q.yz * d.y + q.zz * d.z};
  }
};

struct Moments {
  double mass = 0;
  Vec3 centre;
  Quadrupole quadrupole;
};

/// Joins the moments of `count` parts, in their order: `part(k)` gives those of the k-th. By the
/// parallel-axis theorem: L. Hernquist, "Performance characteristics of tree codes", ApJS 64, 715 (1987).
template <class Part>
Moments joined(int count, Part part) {
  Moments all;
  for (int k = 0; k < count; ++k) {
    const Moments& one = part(k);
    all.mass += one.mass;
    all.centre += one.mass * one.centre;
  }
  all.centre = (1 / all.mass) * all.centre;
  for (int k = 0; k < count; ++k) {
    const Moments& one = part(k);
    all.quadrupole += one.quadrupole;
    all.quadrupole += Quadrupole::of(one.mass, one.centre - all.centre);
  }
  return all;
}

inline Quadrupole Quadrupole::of(double mass, const Vec3& d) {
  const double square = dot(d, d), m3 = 3 * mass;
  return {m3 * d.x * d.x - mass * square, m3 * d.x * d.y, m3 * d.x * d.z,
          m3 * d.y * d.y - mass * square, m3 * d.y * d.z, m3 * d.z * d.z - mass * square};
}

inline Quadrupole& Quadrupole::operator+=(const Quadrupole& b) {
  xx += b.xx, xy += b.xy, xz += b.xz, yy += b.yy, yz += b.yz, zz += b.zz;
  return *this;
}

}  // namespace barneshut
