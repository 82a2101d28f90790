// SPDX-License-Identifier: Apache-2.0
// Stresses of dislocations in an isotropic medium, without singularities: the Burgers vector is spread around
// the line, and R = |r| becomes R_a = sqrt(r^2 + core^2) in the line integral. W. Cai, A. Arsenlis, C. R.
// Weinberger, V. V. Bulatov, "A non-singular continuum theory of dislocations", J. Mech. Phys. Solids 54, 561
// (2006).
#pragma once

#include <cmath>

#include "apps/common/vec3.hpp"

namespace dislocations {

using apps::Vec3;

inline double norm(const Vec3& v) { return std::sqrt(dot(v, v)); }

/// A plain struct. Lengths are in Burgers vectors, stresses in shear moduli.
struct Material {
  double poisson = 0.305;
  double core = 2;  ///< radius over which a Burgers vector is spread
};

/// A symmetric tensor.
struct Stress {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

  Stress& operator+=(const Stress& b) {
    xx += b.xx, yy += b.yy, zz += b.zz, xy += b.xy, xz += b.xz, yz += b.yz;
    return *this;
  }
  friend Stress operator*(double s, const Stress& a) {
    return {s * a.xx, s * a.yy, s * a.zz, s * a.xy, s * a.xz, s * a.yz};
  }
  friend Vec3 operator*(const Stress& s, const Vec3& v) {
    return {s.xx * v.x + s.xy * v.y + s.xz * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z,
            s.xz * v.x + s.yz * v.y + s.zz * v.z};
  }
};

/// Returns (a b^T + b a^T) / 2.
inline Stress symmetric_product(const Vec3& a, const Vec3& b) {
  return {a.x * b.x,
          a.y * b.y,
          a.z * b.z,
          0.5 * (a.x * b.y + a.y * b.x),
          0.5 * (a.x * b.z + a.z * b.x),
          0.5 * (a.y * b.z + a.z * b.y)};
}

/// A segment from `first` to `second`; the sense of the line decides the sign of the Burgers vector.
struct Straight {
  Vec3 first, second, burgers;
};

/// Returns the stress of a straight segment, of nonzero length, at a place, in closed form. The stress of an
/// open piece of a line has a meaning only in sums over whole lines.
Stress stress_of(const Material& material, const Straight& segment, const Vec3& at);

}  // namespace dislocations
