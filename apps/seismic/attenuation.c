// SPDX-License-Identifier: Apache-2.0
#include "attenuation.h"

#include <stdlib.h>

#include "cpml.h"

// A row (i,j) of a block is ROW_RUNS runs along z: five coefficients (times dt/h), then the memory variables
// of xx, yy, zz for each mechanism, then those of xy, xz, yz.
enum { G_TRACE, G_NORMAL, G_XY, G_XZ, G_YZ, COEFFICIENTS };
enum { ROW_RUNS = COEFFICIENTS + 6 * MECHANISMS };

static float* memory;
// zeta_new = keep zeta + feed e;  the stress gets weight (zeta + zeta_new) / 2.
static float keep[MECHANISMS], feed[MECHANISMS], half_weight[MECHANISMS];

#define D(f, at, s) (C1 * ((f)[at] - (f)[(at) - (s)]) + C2 * ((f)[(at) + (s)] - (f)[(at)-2 * (s)]))

_Static_assert(MECHANISMS == 4, "relax names the mechanisms one by one");

// Advances the mechanisms of one stress along a row. held = sum_l weight_l (old + new) / 2 is their part in
// the stress.
static void relax(int n, float* restrict held, const float* restrict e, float* restrict zeta0,
                  float* restrict zeta1, float* restrict zeta2, float* restrict zeta3) {
  const float k0 = keep[0], k1 = keep[1], k2 = keep[2], k3 = keep[3];
  const float f0 = feed[0], f1 = feed[1], f2 = feed[2], f3 = feed[3];
  const float w0 = half_weight[0], w1 = half_weight[1], w2 = half_weight[2], w3 = half_weight[3];
  for (int k = 0; k < n; ++k) {
    const float new0 = k0 * zeta0[k] + f0 * e[k], new1 = k1 * zeta1[k] + f1 * e[k];
    const float new2 = k2 * zeta2[k] + f2 * e[k], new3 = k3 * zeta3[k] + f3 * e[k];
    held[k] =
        w0 * (zeta0[k] + new0) + w1 * (zeta1[k] + new1) + w2 * (zeta2[k] + new2) + w3 * (zeta3[k] + new3);
    zeta0[k] = new0;
    zeta1[k] = new1;
    zeta2[k] = new2;
    zeta3[k] = new3;
  }
}

// Advances the mechanisms of one stress along a row; its runs begin at `zeta`.
static void relax_runs(int n, float* held, const float* e, float* zeta) {
  relax(n, held, e, zeta, zeta + n, zeta + 2 * n, zeta + 3 * n);
}

// The place of a row: its first cell and the derivatives' strides.
typedef struct Row {
  const Grid* grid;
  int i, j, k, n, in_layer;
  ptrdiff_t at;
} Row;

// e = derivative of velocity `component` along `axis`; sum 1: added to what is there. `half`: how many cells
// further along the axis the derivative lies than the velocity, 0 for the half before it and 1 for the half
// after it.
static void derive(const Row* r, int component, int axis, int half, int sum, float* restrict e) {
  const ptrdiff_t s = r->grid->stride[axis];
  const float* restrict v = field(r->grid, component) + r->at + half * s;
  if (sum)
    for (int k = 0; k < r->n; ++k) e[k] += D(v, k, s);
  else
    for (int k = 0; k < r->n; ++k) e[k] = D(v, k, s);
  if (r->in_layer) cpml_add_psi(axis, component - VX, r->i, r->j, r->k, r->n, e);
}

static void hold_normal(int n, float* restrict stress, const float* restrict trace,
                        const float* restrict g_normal, const float* restrict held) {
  for (int k = 0; k < n; ++k) stress[k] -= trace[k] + g_normal[k] * held[k];
}

static void normal_row(const Row* r, const float* restrict g_trace, const float* g_normal, float* zeta) {
  static const int stress[3] = {SXX, SYY, SZZ};
  float e[LONGEST_ROW] = {0}, held[3][LONGEST_ROW], trace[LONGEST_ROW];
  for (int c = 0; c < 3; ++c) {
    derive(r, VX + c, c, 0, 0, e);
    relax_runs(r->n, held[c], e, zeta + c * MECHANISMS * r->n);
  }
  for (int k = 0; k < r->n; ++k) trace[k] = g_trace[k] * (held[0][k] + held[1][k] + held[2][k]);
  for (int c = 0; c < 3; ++c) hold_normal(r->n, field(r->grid, stress[c]) + r->at, trace, g_normal, held[c]);
}

// Updates the shear stress between axes a and b.
static void shear_row(const Row* r, int which, int a, int b, const float* restrict g, float* zeta) {
  float e[LONGEST_ROW] = {0}, held[LONGEST_ROW];
  derive(r, VX + a, b, 1, 0, e);
  derive(r, VX + b, a, 1, 1, e);
  relax_runs(r->n, held, e, zeta);
  float* restrict stress = field(r->grid, which) + r->at;
  for (int k = 0; k < r->n; ++k) stress[k] -= g[k] * held[k];
}

static int any_loss(const Model* m, const Box* b) {
  for (int i = b->lo[0]; i < b->hi[0]; ++i)
    for (int j = b->lo[1]; j < b->hi[1]; ++j)
      for (int k = b->lo[2]; k < b->hi[2]; ++k)
        if (model_solid(m, i, j, k)->loss_s > 0) return 1;
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
static void fill_coefficients(const Attenuation* a, const Model* m, const Grid* g) {
  const Box* b = &a->box;
  const int n = b->hi[2] - b->lo[2];
  for (int i = b->lo[0]; i < b->hi[0]; ++i)
    for (int j = b->lo[1]; j < b->hi[1]; ++j)
      for (int k = b->lo[2]; k < b->hi[2]; ++k) {
        const Solid* s = model_solid(m, i, j, k);
        if (s->loss_s <= 0) continue;
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

void attenuation_create(Attenuation* blocks, const Box* boxes, int n, const Model* m, const Grid* g) {
  size_t total = 0;
  for (int i = 0; i < n; ++i) total += any_loss(m, &boxes[i]) ? block_floats(&boxes[i]) : 0;
  memory = allocate(total, sizeof(float), "the attenuation's memory variables");
  float* next = memory;
  for (int i = 0; i < n; ++i) {
    blocks[i] = (Attenuation){.box = boxes[i], .in_layer = cpml_touches(&boxes[i])};
    if (!any_loss(m, &boxes[i])) continue;
    blocks[i].memory = next;
    next += block_floats(&boxes[i]);
    fill_coefficients(&blocks[i], m, g);
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
  Row r = {.grid = g, .k = b->lo[2], .n = b->hi[2] - b->lo[2], .in_layer = a->in_layer};
  for (r.i = b->lo[0]; r.i < b->hi[0]; ++r.i)
    for (r.j = b->lo[1]; r.j < b->hi[1]; ++r.j) {
      r.at = cell(g, r.i, r.j, r.k);
      float* row = row_of(a, r.i, r.j);
      float *normal = row + COEFFICIENTS * r.n, *shear = normal + 3 * MECHANISMS * r.n;
      normal_row(&r, row + G_TRACE * r.n, row + G_NORMAL * r.n, normal);
      shear_row(&r, SXY, 0, 1, row + G_XY * r.n, shear);
      shear_row(&r, SXZ, 0, 2, row + G_XZ * r.n, shear + MECHANISMS * r.n);
      shear_row(&r, SYZ, 1, 2, row + G_YZ * r.n, shear + 2 * MECHANISMS * r.n);
    }
}
