// SPDX-License-Identifier: Apache-2.0
// Compares seismograms of a double couple in a homogeneous full space with the analytic solution, all near,
// intermediate and far fields: Aki & Richards 2002, eq. 4.29, differentiated once in time. Shares nothing
// with the solver: the moment tensor comes from slip and normal (eqs. 4.88, 4.89), the places from the files.
//
// usage: check_fullspace KEY=VALUE... FILE...     keys: members of Problem, all of them
// Exit status 0: all stations agree; 1: one does not; 2: bad input.
//
// Misfit: sqrt(sum (u - a)^2 / sum a^2) over time and the three components. It may be as large as known
// errors of the scheme explain. To first order a wave a of speed c that has travelled r is changed by
//
//   -(r/c) [dt^2/24 a''' + G (3/640) (h/c)^4 a''''']    dispersion: 2nd order in time, 4th in space;
//                                                       G: sum of the 6th powers of the direction cosines
//   -(3/128) (h/c)^4 a''''                              the source's spread by 4th-order interpolation, at
//   worst
//
// which is computed from the analytic P and S waves. MARGIN is for the rest: the near field's part of the
// above, the absorbing layers, and rounding.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double MARGIN = 0.002;

typedef struct Problem {
  double vp, vs, rho, h, dt, x, y, z, moment, strike, dip, rake, duration;
} Problem;

static double tensor[3][3];

// M = M0 (slip normal^T + normal slip^T).
static void set_tensor(const Problem* p) {
  const double f = p->strike * pi / 180, d = p->dip * pi / 180, l = p->rake * pi / 180;
  const double slip[3] = {cos(l) * cos(f) + cos(d) * sin(l) * sin(f),
                          cos(l) * sin(f) - cos(d) * sin(l) * cos(f), -sin(l) * sin(d)};
  const double normal[3] = {-sin(d) * sin(f), sin(d) * cos(f), -cos(d)};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) tensor[i][j] = p->moment * (slip[i] * normal[j] + normal[i] * slip[j]);
}

// Derivative `order` of the moment's rate, (1 - cos wt)^2 / (1.5 T) = (3/2 - 2 cos wt + cos(2wt)/2) / (1.5
// T).
static double rate(double t, double duration, int order) {
  if (t <= 0 || t >= duration) return 0;
  const double w = 2 * pi / duration, turn = order * pi / 2;
  const double constant = order == 0 ? 1.5 : 0;
  return (constant - 2 * pow(w, order) * cos(w * t + turn) +
          0.5 * pow(2 * w, order) * cos(2 * w * t + turn)) /
         (1.5 * duration);
}

// Integral of tau rate(t - tau) over tau from a to b, by Simpson's rule over the part where the rate is not
// zero.
static double near_integral(double t, double a, double b, double duration) {
  const double low = fmax(a, t - duration), high = fmin(b, t);
  if (high <= low) return 0;
  enum { PANELS = 200 };
  const double step = (high - low) / PANELS;
  double sum = 0;
  for (int n = 0; n <= PANELS; ++n) {
    const double tau = low + n * step;
    sum += (n == 0 || n == PANELS ? 1 : n % 2 ? 4 : 2) * tau * rate(t - tau, duration, 0);
  }
  return sum * step / 3;
}

typedef struct Motion {
  double velocity, change;  // the latter: what the scheme makes of it
} Motion;

static Motion analytic(const Problem* p, const double at[3], int n, double t) {
  const double d[3] = {at[0] - p->x, at[1] - p->y, at[2] - p->z};
  const double r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), a = p->vp, b = p->vs, T = p->duration;
  const double g[3] = {d[0] / r, d[1] / r, d[2] / r};
  double near = 0, mid_p = 0, mid_s = 0, far_p = 0, far_s = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double m = tensor[i][j], ggg = g[n] * g[i] * g[j];
      const double ij = i == j, ni = n == i, nj = n == j;
      near += m * (15 * ggg - 3 * g[n] * ij - 3 * g[i] * nj - 3 * g[j] * ni);
      mid_p += m * (6 * ggg - g[n] * ij - g[i] * nj - g[j] * ni);
      mid_s -= m * (6 * ggg - g[n] * ij - g[i] * nj - 2 * g[j] * ni);
      far_p += m * ggg;
      far_s -= m * (g[n] * g[i] - ni) * g[j];
    }
  const double s = 1 / (4 * pi * p->rho), tp = t - r / a, ts = t - r / b;
  const double p2 = s * mid_p / (a * a * r * r), p1 = s * far_p / (a * a * a * r);
  const double s2 = s * mid_s / (b * b * r * r), s1 = s * far_s / (b * b * b * r);
  Motion m = {.velocity = s * near / pow(r, 4) * near_integral(t, r / a, r / b, T) + p2 * rate(tp, T, 0) +
                          p1 * rate(tp, T, 1) + s2 * rate(ts, T, 0) + s1 * rate(ts, T, 1)};
  const double time_error = p->dt * p->dt / 24, h4_p = pow(p->h / a, 4), h4_s = pow(p->h / b, 4);
  const double space = 3.0 / 640 * (pow(g[0], 6) + pow(g[1], 6) + pow(g[2], 6));
  const double late_p = time_error * (p2 * rate(tp, T, 3) + p1 * rate(tp, T, 4)) +
                        space * h4_p * (p2 * rate(tp, T, 5) + p1 * rate(tp, T, 6));
  const double late_s = time_error * (s2 * rate(ts, T, 3) + s1 * rate(ts, T, 4)) +
                        space * h4_s * (s2 * rate(ts, T, 5) + s1 * rate(ts, T, 6));
  const double spread =
      h4_p * (p2 * rate(tp, T, 4) + p1 * rate(tp, T, 5)) + h4_s * (s2 * rate(ts, T, 4) + s1 * rate(ts, T, 5));
  m.change = -(r / a * late_p + r / b * late_s + 3.0 / 128 * spread);
  return m;
}

static int check(const Problem* p, const char* path) {
  FILE* file = fopen(path, "r");
  if (!file) {
    fprintf(stderr, "check_fullspace: cannot read %s\n", path);
    return 2;
  }
  double at[3][3], sums[3] = {0, 0, 0}, t, v[3];
  char line[256];
  int places = 0, samples = 0;
  while (fgets(line, sizeof line, file)) {
    if (places < 3 &&
        sscanf(line, "# v%*c at %lf %lf %lf", &at[places][0], &at[places][1], &at[places][2]) == 3)
      ++places;
    if (line[0] == '#' || places < 3 || sscanf(line, "%lf %lf %lf %lf", &t, &v[0], &v[1], &v[2]) != 4)
      continue;
    ++samples;
    for (int n = 0; n < 3; ++n) {
      const Motion m = analytic(p, at[n], n, t);
      sums[0] += (v[n] - m.velocity) * (v[n] - m.velocity);
      sums[1] += m.change * m.change;
      sums[2] += m.velocity * m.velocity;
    }
  }
  fclose(file);
  if (samples == 0 || sums[2] == 0) {
    fprintf(stderr, "check_fullspace: %s holds no seismogram of a wave\n", path);
    return 2;
  }
  const double misfit = sqrt(sums[0] / sums[2]), allowed = sqrt(sums[1] / sums[2]) + MARGIN;
  const int agrees = misfit <= allowed;
  printf("%s: misfit %.4f, the scheme explains %.4f: %s\n", path, misfit, allowed,
         agrees ? "agrees" : "DIFFERS");
  return agrees ? 0 : 1;
}

int main(int argc, char** argv) {
  Problem p = {0};
  const struct {
    const char* name;
    double* value;
  } keys[] = {{"vp", &p.vp},
              {"vs", &p.vs},
              {"rho", &p.rho},
              {"h", &p.h},
              {"dt", &p.dt},
              {"x", &p.x},
              {"y", &p.y},
              {"z", &p.z},
              {"moment", &p.moment},
              {"strike", &p.strike},
              {"dip", &p.dip},
              {"rake", &p.rake},
              {"duration", &p.duration}};
  enum { KEYS = sizeof keys / sizeof *keys };
  int a = 1, given = 0;
  for (; a < argc && strchr(argv[a], '='); ++a)
    for (int k = 0; k < KEYS; ++k) {
      const size_t length = strlen(keys[k].name);
      if (strncmp(argv[a], keys[k].name, length) == 0 && argv[a][length] == '=')
        given += sscanf(argv[a] + length + 1, "%lf", keys[k].value) == 1;
    }
  if (given != KEYS || a == argc) {
    fprintf(stderr, "check_fullspace: give each of the %d keys once, then seismograms\n", (int)KEYS);
    return 2;
  }
  set_tensor(&p);
  int worst = 0;
  for (; a < argc; ++a) {
    const int result = check(&p, argv[a]);
    if (result > worst) worst = result;
  }
  return worst;
}
