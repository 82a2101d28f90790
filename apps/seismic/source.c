// SPDX-License-Identifier: Apache-2.0
#include "source.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

// A cell that takes part of a source: stress[at] -= amount * rate(t).
typedef struct Share {
  int stress, i, j, k;
  ptrdiff_t at;
  double amount;
} Share;

typedef struct Release {
  double start, duration;
  int first, last;  // its shares
} Release;

static Release releases[MAX_SOURCES];
static Share* shares;
static int n_releases, n_shares;

// Unit rate of release: a squared cosine bell, three times differentiable; its integral is 1.
static double bell(double t, double duration) {
  if (t <= 0 || t >= duration) return 0;
  const double c = 1 - cos(2 * pi * t / duration);
  return c * c / (1.5 * duration);
}

// Moment tensor of a double couple, strike from x towards y, z down: Aki & Richards 2002, box 4.4.
static void moment_tensor(const Source* s, double m[6]) {
  if (s->explosion != 0) {
    m[0] = m[3] = m[5] = s->moment;
    m[1] = m[2] = m[4] = 0;
    return;
  }
  const double f = s->strike * pi / 180, d = s->dip * pi / 180, r = s->rake * pi / 180, m0 = s->moment;
  m[0] = -m0 * (sin(d) * cos(r) * sin(2 * f) + sin(2 * d) * sin(r) * sin(f) * sin(f));  // xx
  m[1] = m0 * (sin(d) * cos(r) * cos(2 * f) + 0.5 * sin(2 * d) * sin(r) * sin(2 * f));  // xy
  m[2] = -m0 * (cos(d) * cos(r) * cos(f) + cos(2 * d) * sin(r) * sin(f));               // xz
  m[3] = m0 * (sin(d) * cos(r) * sin(2 * f) - sin(2 * d) * sin(r) * cos(f) * cos(f));   // yy
  m[4] = -m0 * (cos(d) * cos(r) * sin(f) - cos(2 * d) * sin(r) * cos(f));               // yz
  m[5] = m0 * sin(2 * d) * sin(r);                                                      // zz
}

static void add_share(const Grid* g, int stress, const int world[3], double amount) {
  const int i = world[0] - g->origin[0], j = world[1] - g->origin[1], k = world[2];
  if (amount == 0 || i < 0 || i >= g->size[0] || j < 0 || j >= g->size[1]) return;
  shares[n_shares++] = (Share){stress, i, j, k, cell(g, i, j, k), amount};
}

enum { SPREAD = 4, MOST_SHARES = 3 + 3 * SPREAD * SPREAD };

// The source sits where the normal stresses do. A shear stress lies half a cell off in two directions: it is
// spread over the 4 x 4 places around with the weights of 4th-order interpolation.
static void add_shear(const Grid* g, int stress, int axis1, int axis2, const int node[3], double amount) {
  static const double weight[SPREAD] = {-1.0 / 16, 9.0 / 16, 9.0 / 16, -1.0 / 16};
  for (int a = 0; a < SPREAD; ++a)
    for (int b = 0; b < SPREAD; ++b) {
      int at[3] = {node[0], node[1], node[2]};
      at[axis1] += a - 2;
      at[axis2] += b - 2;
      add_share(g, stress, at, amount * weight[a] * weight[b]);
    }
}

void source_create(const Config* c, const Grid* g) {
  shares = allocate((size_t)c->n_sources * MOST_SHARES, sizeof *shares, "the sources");
  n_shares = 0;
  n_releases = c->n_sources;
  const double scale = g->dt / (g->h * g->h * g->h);
  for (int n = 0; n < c->n_sources; ++n) {
    const Source* s = &c->sources[n];
    const int node[3] = {(int)lround(s->x / g->h), (int)lround(s->y / g->h), (int)lround(s->z / g->h)};
    double m[6];
    moment_tensor(s, m);
    releases[n] = (Release){.start = s->start, .duration = s->duration, .first = n_shares};
    add_share(g, SXX, node, scale * m[0]);
    add_share(g, SYY, node, scale * m[3]);
    add_share(g, SZZ, node, scale * m[5]);
    add_shear(g, SXY, 0, 1, node, scale * m[1]);
    add_shear(g, SXZ, 0, 2, node, scale * m[2]);
    add_shear(g, SYZ, 1, 2, node, scale * m[4]);
    releases[n].last = n_shares;
  }
}

void source_destroy(void) { free(shares); }

void source_inject(const Grid* g, Tiles* tiles, double time) {
  for (int n = 0; n < n_releases; ++n) {
    const Release* r = &releases[n];
    const double rate = bell(time - r->start, r->duration);
    if (rate == 0) continue;
    for (int s = r->first; s < r->last; ++s) {
      field(g, shares[s].stress)[shares[s].at] -= (float)(shares[s].amount * rate);
      tiles_wake_at(tiles, shares[s].i, shares[s].j, shares[s].k);
    }
  }
}
