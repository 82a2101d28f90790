// SPDX-License-Identifier: Apache-2.0
// Compares what attenuation does to a seismogram with the analytic solution in rock of constant Q
// (Kjartansson 1979): velocity c at the reference frequency becomes c (i f / reference)^(atan(1/Q) / pi),
// complex, put into Aki & Richards 2002, eq. 4.29, in the frequency domain. Factors that the runs with and
// without attenuation have in common cancel in their ratio.
//
// usage: check_attenuation explosion|shear QP QS VP VS R REFERENCE WITH WITHOUT
//   explosion: the radial motion (x) at distance R; shear: Mxy = Myx only, the motion along y at distance R
//   along x.
// At half, once and twice REFERENCE, |measured - analytic| may be TOLERANCE of the effect, |1 - analytic|.
// Exit status 0: it is so; 1: it is not; 2: bad input.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double TOLERANCE = 0.05;

// Fourier sum of a component at frequency f. Ends the program when the file is no seismogram of a wave.
static double complex spectrum(const char* path, int component, double f) {
  FILE* file = fopen(path, "r");
  char line[256];
  double sample[4];
  double complex sum = 0;
  while (file && fgets(line, sizeof line, file))
    if (line[0] != '#' &&
        sscanf(line, "%lf %lf %lf %lf", &sample[0], &sample[1], &sample[2], &sample[3]) == 4)
      sum += sample[component] * cexp(-2 * pi * I * f * sample[0]);
  if (!file || sum == 0) {
    fprintf(stderr, "check_attenuation: %s is no seismogram of a wave\n", path);
    exit(2);
  }
  fclose(file);
  return sum;
}

// Integral of tau exp(-i w tau) from 0, without its value there.
static double complex near_integral(double w, double complex tau) {
  return cexp(-I * w * tau) * (1 + I * w * tau) / (w * w);
}

// Displacement for unit moment, without the factor 1/(4 pi rho); a and b are the complex speeds of P and S.
static double complex explosion(double w, double complex a, double r) {
  return (1 / (a * a * r * r) + I * w / (a * a * a * r)) * cexp(-I * w * r / a);
}

static double complex shear(double w, double complex a, double complex b, double r) {
  return -6 / pow(r, 4) * (near_integral(w, r / b) - near_integral(w, r / a)) -
         2 / (a * a * r * r) * cexp(-I * w * r / a) +
         (3 / (b * b * r * r) + I * w / (b * b * b * r)) * cexp(-I * w * r / b);
}

int main(int argc, char** argv) {
  double value[6];
  int good = argc == 10 && (strcmp(argv[1], "explosion") == 0 || strcmp(argv[1], "shear") == 0);
  for (int n = 0; good && n < 6; ++n) good = sscanf(argv[2 + n], "%lf", &value[n]) == 1 && value[n] > 0;
  if (!good) {
    fprintf(stderr, "usage: check_attenuation explosion|shear QP QS VP VS R REFERENCE WITH WITHOUT\n");
    return 2;
  }
  const double qp = value[0], qs = value[1], vp = value[2], vs = value[3], r = value[4], reference = value[5];
  const int is_shear = strcmp(argv[1], "shear") == 0;
  int wrong = 0;
  for (int n = -1; n <= 1; ++n) {
    const double f = reference * pow(2, n), w = 2 * pi * f;
    const double complex a = vp * cpow(I * f / reference, atan(1 / qp) / pi);
    const double complex b = vs * cpow(I * f / reference, atan(1 / qs) / pi);
    // At the reference frequency the phase velocity, 1 / Re(1/c), is the one given.
    const double complex at_reference_a = vp * cpow(I, atan(1 / qp) / pi),
                         a1 = a * creal(1 / at_reference_a) * vp;
    const double complex at_reference_b = vs * cpow(I, atan(1 / qs) / pi),
                         b1 = b * creal(1 / at_reference_b) * vs;
    const double complex analytic =
        is_shear ? shear(w, a1, b1, r) / shear(w, vp, vs, r) : explosion(w, a1, r) / explosion(w, vp, r);
    const int component = is_shear ? 2 : 1;
    const double complex measured = spectrum(argv[8], component, f) / spectrum(argv[9], component, f);
    const double error = cabs(measured - analytic) / cabs(1 - analytic);
    printf("%s at %g Hz: amplitude %.4f phase %.4f, analytic %.4f %.4f, error %.4f of the effect\n", argv[1],
           f, cabs(measured), carg(measured), cabs(analytic), carg(analytic), error);
    if (!(error <= TOLERANCE)) wrong = 1;
  }
  return wrong;
}
