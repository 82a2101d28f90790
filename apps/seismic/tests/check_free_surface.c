// SPDX-License-Identifier: Apache-2.0
// Compares the seismogram of an explosion below a free surface with the exact solution (Lamb's problem for a
// buried explosion): at frequency w, with p = sqrt(k^2 - w^2/vp^2), s = sqrt(k^2 - w^2/vs^2), the potentials
// are
//   phi = A (exp(p z) + b exp(-p z)),  psi = A c exp(-s z),  A = -M/(4 pi rho vp^2) (k/p) exp(-p depth)
// and b, c follow from zero traction at z = 0. Integrated over k and summed over w, damped so that poles and
// wrap-around do no harm. Holds P, its two reflections, and the Rayleigh wave.
//
// usage: check_free_surface LIMIT VP VS RHO X Y DEPTH MOMENT DURATION FILE     X, Y, DEPTH: of the source
// Prints the relative L2 misfit of vx and of vz. Exit status 0: both are within LIMIT; 1: not; 2: bad input.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
static const double period = 6, damping = 1;  // of the sum over frequencies, s and 1/s
enum { FREQUENCIES = 48, WAVENUMBERS = 3000 };

static double vp, vs, rho, source_x, source_y, depth, moment, duration;

static double complex decaying_root(double complex square) {
  const double complex root = csqrt(square);
  return creal(root) < 0 ? -root : root;
}

// Spectrum of the rate of release, a squared cosine bell.
static double complex rate_spectrum(double complex w) {
  enum { POINTS = 600 };
  const double step = duration / POINTS;
  double complex sum = 0;
  for (int n = 1; n < POINTS; ++n)
    sum += pow(1 - cos(2 * pi * n / POINTS), 2) / (1.5 * duration) * cexp(-I * w * (n * step));
  return sum * step;
}

// Motion for unit rate of moment, radial (along = 1) or vertical (0), at distance r and depth z.
static double complex response(double complex w, int along, double r, double z) {
  const double complex ka2 = w * w / (vp * vp), kb2 = w * w / (vs * vs);
  const double step = (3 * cabs(w) / vs + 12 / depth) / WAVENUMBERS;
  double complex sum = 0;
  for (int n = 0; n < WAVENUMBERS; ++n) {
    const double k = (n + 0.5) * step;
    const double complex p = decaying_root(k * k - ka2), s = decaying_root(k * k - kb2);
    const double complex o = 2 * k * k - kb2, x = 4 * k * k * p * s, rayleigh = o * o - x;
    const double complex a = k / p * cexp(-p * depth), b = -(o * o + x) / rayleigh, c = -4 * p * o / rayleigh;
    const double complex up = cexp(p * z), down = cexp(-p * z), shear = cexp(-s * z);
    if (along)
      sum += -a * k * j1(k * r) * (up + b * down - s * c * shear);
    else
      sum += a * j0(k * r) * (p * (up - b * down) + k * k * c * shear);
  }
  return -sum * step / (4 * pi * rho * vp * vp) * moment;
}

static double misfit(const char* path, int along) {
  static double complex spectrum[FREQUENCIES];
  double at[3][3], sample[4], difference = 0, energy = 0;
  char line[256];
  int places = 0;
  FILE* file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    if (line[0] == '#') {
      if (places < 3 &&
          sscanf(line, "# v%*c at %lf %lf %lf", &at[places][0], &at[places][1], &at[places][2]) == 3 &&
          ++places == 3) {
        const double* place = at[along ? 0 : 2];
        const double r = hypot(place[0] - source_x, place[1] - source_y);
        for (int n = 0; n < FREQUENCIES; ++n) {
          const double complex w = 2 * pi * (n + 0.5) / period - I * damping;
          spectrum[n] = response(w, along, r, place[2]) * rate_spectrum(w);
        }
      }
    } else if (places == 3 &&
               sscanf(line, "%lf %lf %lf %lf", &sample[0], &sample[1], &sample[2], &sample[3]) == 4) {
      double exact = 0;
      for (int n = 0; n < FREQUENCIES; ++n)
        exact += creal(spectrum[n] * cexp(I * (2 * pi * (n + 0.5) / period - I * damping) * sample[0]));
      exact *= 2 / period;
      difference += pow(sample[along ? 1 : 3] - exact, 2);
      energy += exact * exact;
    }
  }
  if (!file || energy == 0) {
    fprintf(stderr, "check_free_surface: %s is no seismogram\n", path);
    exit(2);
  }
  fclose(file);
  return sqrt(difference / energy);
}

int main(int argc, char** argv) {
  double* const values[] = {&vp, &vs, &rho, &source_x, &source_y, &depth, &moment, &duration};
  double limit = 0;
  int good = argc == 11 && sscanf(argv[1], "%lf", &limit) == 1;
  for (int n = 0; good && n < 8; ++n) good = sscanf(argv[2 + n], "%lf", values[n]) == 1 && *values[n] > 0;
  if (!good) {
    fprintf(stderr, "usage: check_free_surface LIMIT VP VS RHO X Y DEPTH MOMENT DURATION FILE\n");
    return 2;
  }
  const double x = misfit(argv[10], 1), z = misfit(argv[10], 0);
  printf("%s: misfit of vx %.4f, of vz %.4f (limit %g)\n", argv[10], x, z, limit);
  return x <= limit && z <= limit ? 0 : 1;
}
