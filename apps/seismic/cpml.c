// SPDX-License-Identifier: Apache-2.0
#include "cpml.h"

#include <math.h>
#include <stdlib.h>

// One layer's part in this block. Per row (i,j) its memory is six runs of the layer's cells in z: psi of the
// derivatives of s_ax, s_ay, s_az and of vx, vy, vz, where a is the axis the layer is normal to.
typedef struct Slab {
  int axis;
  Box box;
  float* psi;
} Slab;

// Coefficients as rows along z, one for each index along the axis (for z: one row over its indices), at whole
// and half cells. So one kernel serves all axes.
typedef struct Profile {
  float *a[2], *b[2];  // [half]
} Profile;

static Slab slabs[6];
static int n_slabs;
static Profile profiles[3];
static float* profile_memory;
static float* psi_memory;

static const int stress_of[3][3] = {{SXX, SXY, SXZ}, {SXY, SYY, SYZ}, {SXZ, SYZ, SZZ}};
static const int modulus_of[3][3] = {{0, MU_XY, MU_XZ}, {MU_XY, 0, MU_YZ}, {MU_XZ, MU_YZ, 0}};

static void absorb(int n, ptrdiff_t s, float* restrict target, float* restrict psi, const float* restrict f,
                   const float* restrict a, const float* restrict b, const float* restrict factor) {
  for (int k = 0; k < n; ++k) {
    const float d = C1 * (f[k + s] - f[k]) + C2 * (f[k + 2 * s] - f[k - s]);
    psi[k] = b[k] * psi[k] + a[k] * d;
    target[k] += factor[k] * psi[k];
  }
}

// The derivative of a velocity along itself enters all three normal stresses.
static void absorb_normal(int n, ptrdiff_t s, float* restrict along, float* restrict across1,
                          float* restrict across2, float* restrict psi, const float* restrict f,
                          const float* restrict a, const float* restrict b, const float* restrict lambda,
                          const float* restrict mu2) {
  for (int k = 0; k < n; ++k) {
    const float d = C1 * (f[k + s] - f[k]) + C2 * (f[k + 2 * s] - f[k - s]);
    psi[k] = b[k] * psi[k] + a[k] * d;
    const float p = lambda[k] * psi[k];
    along[k] += p + mu2[k] * psi[k];
    across1[k] += p;
    across2[k] += p;
  }
}

// Depth in the layer, in cells, of a point `at` along an axis with `cells` cells; 0 outside.
static double depth_in_layer(double at, int cells, double layer, int low_absorbs) {
  const double low = low_absorbs ? layer - at : 0, high = at - (cells - 1 - layer);
  return fmax(0, fmax(low, high));
}

static void fill_profile(const Grid* g, const Config* c, int axis, double fastest) {
  const double thickness = c->layer * g->h, reflection = 1e-4;
  const double damping = -3 * fastest * log(reflection) / (2 * thickness);  // quadratic profile
  const double shift = 3.14159265358979323846 * c->frequency;
  const int low_absorbs = axis < 2 || !g->free_surface, rows = axis < 2 ? g->size[axis] : 1;
  for (int half = 0; half < 2; ++half)
    for (int row = 0; row < rows; ++row)
      for (int k = 0; k < g->size[2]; ++k) {
        const double at = (axis < 2 ? g->origin[axis] + row : k) + 0.5 * half;
        const double x = depth_in_layer(at, g->global[axis], c->layer, low_absorbs) / c->layer;
        const double d = damping * x * x, alpha = shift * (1 - fmin(x, 1));
        const double b = exp(-(d + alpha) * g->dt);
        const size_t place = (size_t)row * (size_t)g->size[2] + (size_t)k;
        profiles[axis].a[half][place] = x > 0 ? (float)(d / (d + alpha) * (b - 1)) : 0.0f;
        profiles[axis].b[half][place] = (float)b;
      }
}

static size_t row_floats(const Slab* s) { return 6 * (size_t)(s->box.hi[2] - s->box.lo[2]); }

static size_t slab_floats(const Slab* s) {
  return row_floats(s) * (size_t)(s->box.hi[0] - s->box.lo[0]) * (size_t)(s->box.hi[1] - s->box.lo[1]);
}

static float* row_psi(const Slab* s, int i, int j) {
  const int width = s->box.hi[1] - s->box.lo[1];
  return s->psi + row_floats(s) * ((size_t)(i - s->box.lo[0]) * (size_t)width + (size_t)(j - s->box.lo[1]));
}

void cpml_create(const Grid* g, const Config* c) {
  double fastest = 0;
  for (int i = 0; i < c->n_layers; ++i) fastest = fmax(fastest, c->layers[i].rock.vp);
  for (int i = 0; i < c->n_basins; ++i) fastest = fmax(fastest, c->basins[i].rock.vp);

  const size_t nz = (size_t)g->size[2];
  const size_t lengths[3] = {(size_t)g->size[0] * nz, (size_t)g->size[1] * nz, nz};
  profile_memory =
      allocate(4 * (lengths[0] + lengths[1] + lengths[2]), sizeof(float), "the layers' profiles");
  float* next = profile_memory;
  for (int axis = 0; axis < 3; ++axis) {
    for (int half = 0; half < 2; ++half) {
      profiles[axis].a[half] = next;
      profiles[axis].b[half] = next + lengths[axis];
      next += 2 * lengths[axis];
    }
    fill_profile(g, c, axis, fastest);
  }

  const Box own = {{0, 0, 0}, {g->size[0], g->size[1], g->size[2]}};
  const int layer = (int)c->layer;
  size_t total = 0;
  n_slabs = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (int high = 0; high < 2; ++high) {
      if (axis == 2 && !high && g->free_surface) continue;
      Slab slab = {.axis = axis, .box = own};
      // The high layer begins half a cell after its innermost whole cell.
      if (high) slab.box.lo[axis] = g->global[axis] - 1 - layer - g->origin[axis];
      if (!high) slab.box.hi[axis] = layer - g->origin[axis];
      slab.box = intersect(slab.box, own);
      if (is_empty(slab.box)) continue;
      total += slab_floats(&slab);
      slabs[n_slabs++] = slab;
    }
  psi_memory = allocate(total, sizeof(float), "the absorbing layers");
  next = psi_memory;
  for (int i = 0; i < n_slabs; ++i) {
    slabs[i].psi = next;
    next += slab_floats(&slabs[i]);
  }
}

void cpml_destroy(void) {
  free(profile_memory);
  free(psi_memory);
}

typedef struct Row {
  int n;
  ptrdiff_t at, step;  // of the row's first cell; stride along the layer's normal
  const float *a[2], *b[2];
  float* psi[6];
} Row;

static Row make_row(const Grid* g, const Slab* s, const Box* part, int i, int j) {
  const int k = part->lo[2], depth = s->box.hi[2] - s->box.lo[2];
  Row row = {.n = part->hi[2] - k, .at = cell(g, i, j, k), .step = g->stride[s->axis]};
  const int index = s->axis == 0 ? i : s->axis == 1 ? j : 0;
  const ptrdiff_t place = (ptrdiff_t)index * g->size[2] + k;
  for (int half = 0; half < 2; ++half) {
    row.a[half] = profiles[s->axis].a[half] + place;
    row.b[half] = profiles[s->axis].b[half] + place;
  }
  for (int p = 0; p < 6; ++p) row.psi[p] = row_psi(s, i, j) + p * depth + (k - s->box.lo[2]);
  return row;
}

static void velocity_row(const Grid* g, int axis, const Row* r) {
  for (int c = 0; c < 3; ++c) {
    const int half = c == axis;  // v_axis lies half a cell further along the axis
    const float* f = field(g, stress_of[axis][c]) + r->at - (half ? 0 : r->step);
    absorb(r->n, r->step, field(g, VX + c) + r->at, r->psi[c], f, r->a[half], r->b[half],
           material(g, BX + c) + r->at);
  }
}

static void stress_row(const Grid* g, int axis, const Row* r) {
  for (int c = 0; c < 3; ++c) {
    if (c == axis) {
      const int other1 = (axis + 1) % 3, other2 = (axis + 2) % 3;
      absorb_normal(r->n, r->step, field(g, stress_of[axis][axis]) + r->at,
                    field(g, stress_of[other1][other1]) + r->at, field(g, stress_of[other2][other2]) + r->at,
                    r->psi[3 + c], field(g, VX + c) + r->at - r->step, r->a[0], r->b[0],
                    material(g, LAMBDA) + r->at, material(g, MU2) + r->at);
    } else {
      absorb(r->n, r->step, field(g, stress_of[axis][c]) + r->at, r->psi[3 + c], field(g, VX + c) + r->at,
             r->a[1], r->b[1], material(g, modulus_of[axis][c]) + r->at);
    }
  }
}

static void for_rows(const Grid* g, const Box* box, void (*update)(const Grid*, int, const Row*)) {
  for (int s = 0; s < n_slabs; ++s) {
    const Box part = intersect(*box, slabs[s].box);
    if (is_empty(part)) continue;
    for (int i = part.lo[0]; i < part.hi[0]; ++i)
      for (int j = part.lo[1]; j < part.hi[1]; ++j) {
        const Row row = make_row(g, &slabs[s], &part, i, j);
        update(g, slabs[s].axis, &row);
      }
  }
}

void cpml_velocity(const Grid* g, const Box* box) { for_rows(g, box, velocity_row); }
void cpml_stress(const Grid* g, const Box* box) { for_rows(g, box, stress_row); }

int cpml_touches(const Box* box) {
  for (int s = 0; s < n_slabs; ++s)
    if (!is_empty(intersect(*box, slabs[s].box))) return 1;
  return 0;
}

void cpml_add_psi(int axis, int component, int i, int j, int k, int n, float* derivative) {
  const Box row = {{i, j, k}, {i + 1, j + 1, k + n}};
  for (int s = 0; s < n_slabs; ++s) {
    if (slabs[s].axis != axis) continue;
    const Box part = intersect(row, slabs[s].box);
    if (is_empty(part)) continue;
    const int low = slabs[s].box.lo[2], depth = slabs[s].box.hi[2] - low;
    const float* psi = row_psi(&slabs[s], i, j) + (3 + component) * depth;
    for (int z = part.lo[2]; z < part.hi[2]; ++z) derivative[z - k] += psi[z - low];
  }
}
