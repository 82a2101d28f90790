// SPDX-License-Identifier: Apache-2.0
// The inner loops run along z over contiguous floats with no aliasing, so that the compiler vectorises them.
// The order of operations in a cell is fixed: results do not depend on where a box or a block starts.
#include "update.h"

#include <math.h>

#define D(f, at, s) (C1 * ((f)[at] - (f)[(at) - (s)]) + C2 * ((f)[(at) + (s)] - (f)[(at)-2 * (s)]))

static void velocity_row(int n, ptrdiff_t sx, ptrdiff_t sy, float* restrict vx, float* restrict vy,
                         float* restrict vz, const float* restrict xx, const float* restrict xy,
                         const float* restrict xz, const float* restrict yy, const float* restrict yz,
                         const float* restrict zz, const float* restrict bx, const float* restrict by,
                         const float* restrict bz) {
  for (int k = 0; k < n; ++k) {
    vx[k] += bx[k] * (D(xx, k + sx, sx) + D(xy, k, sy) + D(xz, k, 1));
    vy[k] += by[k] * (D(xy, k, sx) + D(yy, k + sy, sy) + D(yz, k, 1));
    vz[k] += bz[k] * (D(xz, k, sx) + D(yz, k, sy) + D(zz, k + 1, 1));
  }
}

static void normal_row(int n, ptrdiff_t sx, ptrdiff_t sy, float* restrict xx, float* restrict yy,
                       float* restrict zz, const float* restrict vx, const float* restrict vy,
                       const float* restrict vz, const float* restrict lambda, const float* restrict mu2) {
  for (int k = 0; k < n; ++k) {
    const float exx = D(vx, k, sx), eyy = D(vy, k, sy), ezz = D(vz, k, 1);
    const float pressure = lambda[k] * (exx + eyy + ezz);
    xx[k] += pressure + mu2[k] * exx;
    yy[k] += pressure + mu2[k] * eyy;
    zz[k] += pressure + mu2[k] * ezz;
  }
}

static void shear_row(int n, ptrdiff_t sx, ptrdiff_t sy, float* restrict xy, float* restrict xz,
                      float* restrict yz, const float* restrict vx, const float* restrict vy,
                      const float* restrict vz, const float* restrict mxy, const float* restrict mxz,
                      const float* restrict myz) {
  for (int k = 0; k < n; ++k) {
    xy[k] += mxy[k] * (D(vx, k + sy, sy) + D(vy, k + sx, sx));
    xz[k] += mxz[k] * (D(vx, k + 1, 1) + D(vz, k + sx, sx));
    yz[k] += myz[k] * (D(vy, k + 1, 1) + D(vz, k + sy, sy));
  }
}

void update_velocity(const Grid* g, const Box* box) {
  const ptrdiff_t sx = g->stride[0], sy = g->stride[1];
  const int n = box->hi[2] - box->lo[2];
  for (int i = box->lo[0]; i < box->hi[0]; ++i)
    for (int j = box->lo[1]; j < box->hi[1]; ++j) {
      const ptrdiff_t at = cell(g, i, j, box->lo[2]);
      velocity_row(n, sx, sy, field(g, VX) + at, field(g, VY) + at, field(g, VZ) + at, field(g, SXX) + at,
                   field(g, SXY) + at, field(g, SXZ) + at, field(g, SYY) + at, field(g, SYZ) + at,
                   field(g, SZZ) + at, material(g, BX) + at, material(g, BY) + at, material(g, BZ) + at);
    }
}

void update_stress(const Grid* g, const Box* box) {
  const ptrdiff_t sx = g->stride[0], sy = g->stride[1];
  const int n = box->hi[2] - box->lo[2];
  for (int i = box->lo[0]; i < box->hi[0]; ++i)
    for (int j = box->lo[1]; j < box->hi[1]; ++j) {
      const ptrdiff_t at = cell(g, i, j, box->lo[2]);
      const float *vx = field(g, VX) + at, *vy = field(g, VY) + at, *vz = field(g, VZ) + at;
      normal_row(n, sx, sy, field(g, SXX) + at, field(g, SYY) + at, field(g, SZZ) + at, vx, vy, vz,
                 material(g, LAMBDA) + at, material(g, MU2) + at);
      shear_row(n, sx, sy, field(g, SXY) + at, field(g, SXZ) + at, field(g, SYZ) + at, vx, vy, vz,
                material(g, MU_XY) + at, material(g, MU_XZ) + at, material(g, MU_YZ) + at);
    }
}

void silence_velocity(const Grid* g, const Box* box) {
  const float floor = g->floor;
  const int n = box->hi[2] - box->lo[2];
  for (int component = VX; component <= VZ; ++component)
    for (int i = box->lo[0]; i < box->hi[0]; ++i)
      for (int j = box->lo[1]; j < box->hi[1]; ++j) {
        float* restrict v = field(g, component) + cell(g, i, j, box->lo[2]);
        for (int k = 0; k < n; ++k) v[k] = fabsf(v[k]) < floor ? 0.0f : v[k];
      }
}
