// SPDX-License-Identifier: Apache-2.0
#include "surface.h"

void surface_after_velocity(const Grid* g, const Box* box) {
  if (!g->free_surface || box->lo[2] != 0) return;
  for (int i = box->lo[0]; i < box->hi[0]; ++i)
    for (int j = box->lo[1]; j < box->hi[1]; ++j) {
      const ptrdiff_t at = cell(g, i, j, 0);
      // Quadratic continuation: the 4th-order derivative beside the surface becomes the 2nd-order one below
      // it.
      for (int component = VX; component <= VZ; ++component) {
        float* v = field(g, component) + at;
        v[-1] = 3.0f * (v[0] - v[1]) + v[2];
      }
      // Plane k = 0 carries the plane-stress modulus (material.c), which has d vz/dz eliminated: make it
      // vanish.
      float* vz = field(g, VZ) + at;
      vz[-2] = vz[1] + (C1 / C2) * (vz[0] - vz[-1]);
    }
}

void surface_after_stress(const Grid* g, const Box* box) {
  if (!g->free_surface || box->lo[2] != 0) return;
  for (int i = box->lo[0]; i < box->hi[0]; ++i)
    for (int j = box->lo[1]; j < box->hi[1]; ++j) {
      const ptrdiff_t at = cell(g, i, j, 0);
      float *xz = field(g, SXZ) + at, *yz = field(g, SYZ) + at, *zz = field(g, SZZ) + at;
      zz[0] = 0.0f;
      zz[-1] = -zz[1];
      xz[-1] = -xz[0];
      xz[-2] = -xz[1];
      yz[-1] = -yz[0];
      yz[-2] = -yz[1];
    }
}
