// SPDX-License-Identifier: Apache-2.0
// Attenuation follows Emmerich & Korn 1987: M(w) = Mu (1 - sum_l Y_l w_l / (w_l + i w)), here with Y_l = loss
// * weight_l, one set of weights for all rocks.
#include "material.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

// Least squares for sum_l weight_l w w_l / (w^2 + w_l^2) = 1 at 2 MECHANISMS - 1 frequencies of the band.
static Spectrum fit_spectrum(double low, double high) {
  enum { POINTS = 2 * MECHANISMS - 1 };
  Spectrum s;
  const double ratio = high / low;
  for (int l = 0; l < MECHANISMS; ++l) s.omega[l] = 2 * pi * low * pow(ratio, (double)l / (MECHANISMS - 1));
  double a[MECHANISMS][MECHANISMS + 1] = {{0}};
  for (int p = 0; p < POINTS; ++p) {
    const double w = 2 * pi * low * pow(ratio, (double)p / (POINTS - 1));
    double row[MECHANISMS];
    for (int l = 0; l < MECHANISMS; ++l) row[l] = w * s.omega[l] / (w * w + s.omega[l] * s.omega[l]);
    for (int l = 0; l < MECHANISMS; ++l) {
      for (int m = 0; m < MECHANISMS; ++m) a[l][m] += row[l] * row[m];
      a[l][MECHANISMS] += row[l];
    }
  }
  // The normal matrix is symmetric and positive definite: elimination needs no pivoting.
  for (int l = 0; l < MECHANISMS; ++l)
    for (int m = l + 1; m < MECHANISMS; ++m) {
      const double factor = a[m][l] / a[l][l];
      for (int c = l; c <= MECHANISMS; ++c) a[m][c] -= factor * a[l][c];
    }
  for (int l = MECHANISMS - 1; l >= 0; --l) {
    s.weight[l] = a[l][MECHANISMS];
    for (int m = l + 1; m < MECHANISMS; ++m) s.weight[l] -= a[l][m] * s.weight[m];
    s.weight[l] /= a[l][l];
  }
  return s;
}

// Computes the unrelaxed modulus and the loss for which, at angular frequency w, the phase velocity is c and
// the quality q.
static double unrelaxed_modulus(const Spectrum* s, double w, double rho, double c, double q, double* loss) {
  *loss = 0;
  if (q <= 0) return rho * c * c;
  double imaginary = 0, real = 0;
  for (int l = 0; l < MECHANISMS; ++l) {
    const double r = w / s->omega[l];
    imaginary += s->weight[l] * r / (1 + r * r);
    real += s->weight[l] / (1 + r * r);
  }
  *loss = 1 / (q * imaginary + real);  // Im M / Re M = loss imaginary / (1 - loss real) = 1/q
  const double re = 1 - *loss * real, im = *loss * imaginary, magnitude = hypot(re, im);
  return rho * c * c * (magnitude + re) / (2 * magnitude * magnitude);
}

static Solid make_solid(const Config* config, const Spectrum* s, const Rock* rock) {
  Solid solid = {.rho = rock->rho};
  const double w = 2 * pi * config->q_reference;
  const double m = unrelaxed_modulus(s, w, rock->rho, rock->vp, rock->qp, &solid.loss_p);
  solid.mu = unrelaxed_modulus(s, w, rock->rho, rock->vs, rock->qs, &solid.loss_s);
  solid.lambda = m - 2 * solid.mu;
  return solid;
}

static int rock_at(const Config* config, double x, double y, double z) {
  for (int b = config->n_basins - 1; b >= 0; --b) {
    const Basin* basin = &config->basins[b];
    const double u = (x - basin->x) / basin->radius_x, v = (y - basin->y) / basin->radius_y,
                 w = z / basin->depth;
    if (u * u + v * v + w * w < 1) return config->n_layers + b;
  }
  int layer = config->n_layers - 1;
  while (layer > 0 && z < config->layers[layer].top) --layer;
  return layer;
}

static size_t rock_index(const Model* m, int i, int j, int k) {
  return ((size_t)i * (size_t)(m->size[1] + 1) + (size_t)j) * (size_t)(m->size[2] + 1) + (size_t)k;
}

void model_create(Model* m, const Config* config, const Grid* g) {
  *m = (Model){.size = {g->size[0], g->size[1], g->size[2]}};
  if (config->q_high > 0) m->spectrum = fit_spectrum(config->q_low, config->q_high);
  for (int l = 0; l < config->n_layers; ++l)
    m->solids[l] = make_solid(config, &m->spectrum, &config->layers[l].rock);
  for (int b = 0; b < config->n_basins; ++b)
    m->solids[config->n_layers + b] = make_solid(config, &m->spectrum, &config->basins[b].rock);
  m->rock = allocate(rock_index(m, m->size[0], m->size[1], m->size[2]) + 1, 1, "the rock map");
  for (int i = 0; i <= m->size[0]; ++i)
    for (int j = 0; j <= m->size[1]; ++j)
      for (int k = 0; k <= m->size[2]; ++k) {
        // The outermost cells repeat beyond the edge of the world.
        const int x = g->origin[0] + i, y = g->origin[1] + j;
        const double h = g->h;
        m->rock[rock_index(m, i, j, k)] =
            (unsigned char)rock_at(config, (x < g->global[0] ? x : x - 1) * h,
                                   (y < g->global[1] ? y : y - 1) * h, (k < g->global[2] ? k : k - 1) * h);
      }
}

void model_destroy(Model* m) { free(m->rock); }

const Solid* model_solid(const Model* m, int i, int j, int k) {
  return &m->solids[m->rock[rock_index(m, i, j, k)]];
}

static double shear_mean(const Solid* a, const Solid* b, const Solid* c, const Solid* d) {
  return 4 / (1 / a->mu + 1 / b->mu + 1 / c->mu + 1 / d->mu);
}

void material_fill(const Model* m, const Grid* g) {
  const double s = g->dt / g->h;
  for (int i = 0; i < g->size[0]; ++i)
    for (int j = 0; j < g->size[1]; ++j)
      for (int k = 0; k < g->size[2]; ++k) {
        const ptrdiff_t at = cell(g, i, j, k);
        const Solid *o = model_solid(m, i, j, k), *x = model_solid(m, i + 1, j, k),
                    *y = model_solid(m, i, j + 1, k), *z = model_solid(m, i, j, k + 1);
        material(g, BX)[at] = (float)(2 * s / (o->rho + x->rho));
        material(g, BY)[at] = (float)(2 * s / (o->rho + y->rho));
        material(g, BZ)[at] = (float)(2 * s / (o->rho + z->rho));
        // On the free surface szz = 0 gives d vz/dz; with it eliminated, lambda becomes the plane-stress
        // modulus.
        const double lambda =
            g->free_surface && k == 0 ? 2 * o->mu * o->lambda / (o->lambda + 2 * o->mu) : o->lambda;
        material(g, LAMBDA)[at] = (float)(s * lambda);
        material(g, MU2)[at] = (float)(s * 2 * o->mu);
        material(g, MU_XY)[at] = (float)(s * shear_mean(o, x, y, model_solid(m, i + 1, j + 1, k)));
        material(g, MU_XZ)[at] = (float)(s * shear_mean(o, x, z, model_solid(m, i + 1, j, k + 1)));
        material(g, MU_YZ)[at] = (float)(s * shear_mean(o, y, z, model_solid(m, i, j + 1, k + 1)));
      }
}
