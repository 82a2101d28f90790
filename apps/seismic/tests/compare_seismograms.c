// SPDX-License-Identifier: Apache-2.0
// usage: compare_seismograms LIMIT FILE REFERENCE
// Prints the energy of the difference over that of the reference, sum |a - b|^2 / sum |b|^2 over time and
// components. Exit status 0: not above LIMIT; 1: above; 2: bad input, or the times of the samples differ.
#include <stdio.h>
#include <stdlib.h>

// Reads the next sample, skipping comments. Returns 1, or 0 at the end.
static int next_sample(FILE* file, double sample[4]) {
  char line[256];
  while (fgets(line, sizeof line, file))
    if (line[0] != '#')
      return sscanf(line, "%lf %lf %lf %lf", &sample[0], &sample[1], &sample[2], &sample[3]) == 4;
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: compare_seismograms LIMIT FILE REFERENCE\n");
    return 2;
  }
  FILE* files[2] = {fopen(argv[2], "r"), fopen(argv[3], "r")};
  if (!files[0] || !files[1]) {
    fprintf(stderr, "compare_seismograms: cannot read %s\n", argv[files[0] ? 3 : 2]);
    return 2;
  }
  double difference = 0, energy = 0, a[4], b[4];
  int more[2];
  while (more[0] = next_sample(files[0], a), more[1] = next_sample(files[1], b), more[0] && more[1]) {
    if (a[0] != b[0]) more[1] = !more[0];
    if (more[0] != more[1]) break;
    for (int n = 1; n < 4; ++n) {
      difference += (a[n] - b[n]) * (a[n] - b[n]);
      energy += b[n] * b[n];
    }
  }
  fclose(files[0]);
  fclose(files[1]);
  if (more[0] != more[1] || energy == 0) {
    fprintf(stderr, "compare_seismograms: %s and %s do not hold the same times, or no wave\n", argv[2],
            argv[3]);
    return 2;
  }
  printf("%s: %.3e of the energy differs (limit %s)\n", argv[2], difference / energy, argv[1]);
  return difference / energy <= strtod(argv[1], NULL) ? 0 : 1;
}
