// SPDX-License-Identifier: Apache-2.0
#include "attenuation.h"

#include <stdlib.h>

// A row (i,j) of a block is ROW_RUNS runs along z: five coefficients (times dt/h), then the memory variables
// of xx, yy, zz for each mechanism, then those of xy, xz, yz.
enum { G_TRACE, G_NORMAL, G_XY, G_XZ, G_YZ, COEFFICIENTS };
enum { ROW_RUNS = COEFFICIENTS + 6 * MECHANISMS };

static float* memory;
// zeta_new = keep zeta + feed e;  what enters the stress is weight (zeta + zeta_new) / 2.
static float keep[MECHANISMS], feed[MECHANISMS], half_weight[MECHANISMS];

#define D(f, at, s) (C1 * ((f)[at] - (f)[(at) - (s)]) + C2 * ((f)[(at) + (s)] - (f)[(at)-2 * (s)]))

_Static_assert(MECHANISMS == 3, "relax names the mechanisms one by one");

// What one stress's mechanisms hold back along a row, and their step: held[k] = sum_l weight_l (old + new)
// / 2.
static void relax(int n, float* restrict held, const float* restrict e, float* restrict zeta0,
                  float* restrict zeta1, float* restrict zeta2) {
  const float k0 = keep[0], k1 = keep[1], k2 = keep[2], f0 = feed[0], f1 = feed[1], f2 = feed[2];
  const float w0 = half_weight[0], w1 = half_weight[1], w2 = half_weight[2];
  for (int k = 0; k < n; ++k) {
    const float new0 = k0 * zeta0[k] + f0 * e[k], new1 = k1 * zeta1[k] + f1 * e[k],
                new2 = k2 * zeta2[k] + f2 * e[k];
    held[k] = w0 * (zeta0[k] + new0) + w1 * (zeta1[k] + new1) + w2 * (zeta2[k] + new2);
    zeta0[k] = new0;
    zeta1[k] = new1;
    zeta2[k] = new2;
  }
}

static void normal_row(int n, ptrdiff_t sx, ptrdiff_t sy, float* restrict xx, float* restrict yy,
                       float* restrict zz, const float* restrict vx, const float* restrict vy,
                       const float* restrict vz, const float* restrict g_trace,
                       const float* restrict g_normal, float* restrict zeta) {
  float e[3][LONGEST_ROW] = {{0}}, held[3][LONGEST_ROW];
  for (int k = 0; k < n; ++k) {
    e[0][k] = D(vx, k, sx);
    e[1][k] = D(vy, k, sy);
    e[2][k] = D(vz, k, 1);
  }
  for (int c = 0; c < 3; ++c)
    relax(n, held[c], e[c], zeta + 3 * c * n, zeta + (3 * c + 1) * n, zeta + (3 * c + 2) * n);
  for (int k = 0; k < n; ++k) {
    const float trace = g_trace[k] * (held[0][k] + held[1][k] + held[2][k]);
    xx[k] -= trace + g_normal[k] * held[0][k];
    yy[k] -= trace + g_normal[k] * held[1][k];
    zz[k] -= trace + g_normal[k] * held[2][k];
  }
}

// A shear stress of velocities u and v, u differentiated with stride su and v with stride sv.
static void shear_row(int n, ptrdiff_t su, ptrdiff_t sv, float* restrict stress, const float* restrict u,
                      const float* restrict v, const float* restrict g, float* restrict zeta) {
  float e[LONGEST_ROW] = {0}, held[LONGEST_ROW];
  for (int k = 0; k < n; ++k) e[k] = D(u, k + su, su) + D(v, k + sv, sv);
  relax(n, held, e, zeta, zeta + n, zeta + 2 * n);
  for (int k = 0; k < n; ++k) stress[k] -= g[k] * held[k];
}

static int in_layer(const Grid* g, const Config* c, int i, int j, int k) {
  const int at[3] = {g->origin[0] + i, g->origin[1] + j, k}, layer = (int)c->layer;
  for (int axis = 0; axis < 3; ++axis) {
    if (at[axis] >= g->global[axis] - 1 - layer) return 1;
    if (at[axis] < layer && (axis < 2 || !g->free_surface)) return 1;
  }
  return 0;
}

static int any_loss(const Model* m, const Grid* g, const Config* c, const Box* b) {
  for (int i = b->lo[0]; i < b->hi[0]; ++i)
    for (int j = b->lo[1]; j < b->hi[1]; ++j)
      for (int k = b->lo[2]; k < b->hi[2]; ++k)
        if (model_solid(m, i, j, k)->loss_s > 0 && !in_layer(g, c, i, j, k)) return 1;
  return 0;
}

static size_t block_floats(const Box* b) {
  return ROW_RUNS * (size_t)(b->hi[0] - b->lo[0]) * (size_t)(b->hi[1] - b->lo[1]) *
         (size_t)(b->hi[2] - b->lo[2]);
}

static float* row_of(const Attenuation* a, int i, int j) {
  const Box* b = &a->box;
  const size_t row = (size_t)(i - b->lo[0]) * (size_t)(b->hi[1] - b->lo[1]) + (size_t)(j - b->lo[1]);
  return a->memory + row * ROW_RUNS * (size_t)(b->hi[2] - b->lo[2]);
}

// A cell attenuates as its own rock does; only the shear modulus of the cell's three shear places is
// averaged.
static void fill_coefficients(const Attenuation* a, const Model* m, const Grid* g, const Config* c) {
  const Box* b = &a->box;
  const int n = b->hi[2] - b->lo[2];
  for (int i = b->lo[0]; i < b->hi[0]; ++i)
    for (int j = b->lo[1]; j < b->hi[1]; ++j)
      for (int k = b->lo[2]; k < b->hi[2]; ++k) {
        const Solid* s = model_solid(m, i, j, k);
        if (s->loss_s <= 0 || in_layer(g, c, i, j, k)) continue;
        float* row = row_of(a, i, j) + (k - b->lo[2]);
        const ptrdiff_t at = cell(g, i, j, k);
        const double lambda = material(g, LAMBDA)[at], mu2 = material(g, MU2)[at];
        row[G_TRACE * n] = (float)((lambda + mu2) * s->loss_p - mu2 * s->loss_s);
        row[G_NORMAL * n] = (float)(mu2 * s->loss_s);
        row[G_XY * n] = (float)(material(g, MU_XY)[at] * s->loss_s);
        row[G_XZ * n] = (float)(material(g, MU_XZ)[at] * s->loss_s);
        row[G_YZ * n] = (float)(material(g, MU_YZ)[at] * s->loss_s);
      }
}

void attenuation_create(Attenuation* blocks, const Box* boxes, int n, const Model* m, const Grid* g,
                        const Config* c) {
  size_t total = 0;
  for (int i = 0; i < n; ++i) total += any_loss(m, g, c, &boxes[i]) ? block_floats(&boxes[i]) : 0;
  memory = allocate(total, sizeof(float), "the attenuation's memory variables");
  float* next = memory;
  for (int i = 0; i < n; ++i) {
    blocks[i] = (Attenuation){.box = boxes[i], .memory = NULL};
    if (!any_loss(m, g, c, &boxes[i])) continue;
    blocks[i].memory = next;
    next += block_floats(&boxes[i]);
    fill_coefficients(&blocks[i], m, g, c);
  }
  for (int l = 0; l < MECHANISMS; ++l) {
    const double w = m->spectrum.omega[l] * g->dt;
    keep[l] = (float)((2 - w) / (2 + w));
    feed[l] = (float)(2 * w / (2 + w));
    half_weight[l] = (float)(m->spectrum.weight[l] / 2);
  }
}

void attenuation_destroy(void) { free(memory); }

void attenuation_stress(const Grid* g, const Attenuation* a) {
  if (!a->memory) return;
  const Box* b = &a->box;
  const ptrdiff_t sx = g->stride[0], sy = g->stride[1];
  const int n = b->hi[2] - b->lo[2];
  for (int i = b->lo[0]; i < b->hi[0]; ++i)
    for (int j = b->lo[1]; j < b->hi[1]; ++j) {
      const ptrdiff_t at = cell(g, i, j, b->lo[2]);
      float* row = row_of(a, i, j);
      float *normal = row + COEFFICIENTS * n, *shear = normal + 3 * MECHANISMS * n;
      const float *vx = field(g, VX) + at, *vy = field(g, VY) + at, *vz = field(g, VZ) + at;
      normal_row(n, sx, sy, field(g, SXX) + at, field(g, SYY) + at, field(g, SZZ) + at, vx, vy, vz,
                 row + G_TRACE * n, row + G_NORMAL * n, normal);
      shear_row(n, sy, sx, field(g, SXY) + at, vx, vy, row + G_XY * n, shear);
      shear_row(n, 1, sx, field(g, SXZ) + at, vx, vz, row + G_XZ * n, shear + MECHANISMS * n);
      shear_row(n, 1, sy, field(g, SYZ) + at, vy, vz, row + G_YZ * n, shear + 2 * MECHANISMS * n);
    }
}
