// SPDX-License-Identifier: Apache-2.0
// zero_handling KIND [ROUNDS] [flush]: measures the velocity kernel of apps/seismic on a cell whose stresses
// are of a kind: zero, normal, subnormal, mixed (zeros and normal numbers drawn at random), sporadic (one
// subnormal in 64 zeros). Prints the least cycles a cell of ROUNDS (200) rounds; one round is for counting
// instructions. flush: numbers below 1e-38 are zero, as seismic has it by default.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "apps/seismic/update.h"

enum { SIZE = 16, DEPTH = 32 };

static double now(void) {
#if defined(__x86_64__)
  return (double)__rdtsc();
#else
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
#endif
}

static float value(const char* kind, unsigned draw) {
  const float size = 1 + (float)(draw & 255) / 256, sign = draw & 256 ? -1.0f : 1.0f;
  if (strcmp(kind, "normal") == 0) return sign * size;
  if (strcmp(kind, "subnormal") == 0) return sign * size * 1e-40f;
  if (strcmp(kind, "mixed") == 0) return draw & 512 ? sign * size : 0;
  if (strcmp(kind, "sporadic") == 0) return (draw >> 9) % 64 == 0 ? sign * size * 1e-40f : 0;
  return 0;
}

int main(int argc, char** argv) {
  static const char kinds[] = " zero normal subnormal mixed sporadic ";
  if (argc < 2 || !strstr(kinds, argv[1])) {
    fprintf(stderr, "usage: zero_handling KIND [ROUNDS] [flush]; kinds:%s\n", kinds);
    return 2;
  }
  const int rounds = argc > 2 ? atoi(argv[2]) : 200;
  Grid g = {.size = {SIZE, SIZE, DEPTH}};
  g.stride[2] = 1;
  g.stride[1] = DEPTH + 2 * GHOST;
  g.stride[0] = g.stride[1] * (SIZE + 2 * GHOST);
  g.field_stride = (size_t)g.stride[0] * (SIZE + 2 * GHOST) + 80;
  g.fields = calloc(g.field_stride * FIELDS, sizeof(float));
  g.materials = calloc(g.field_stride * MATERIALS, sizeof(float));
  if (!g.fields || !g.materials) return 1;
  unsigned draw = 1;
  for (size_t n = 0; n < g.field_stride * (FIELDS - SXX); ++n) {
    draw = draw * 1664525u + 1013904223u;
    field(&g, SXX)[n] = value(argv[1], draw >> 8);
  }
  for (size_t n = 0; n < g.field_stride * MATERIALS; ++n) g.materials[n] = 0.1f;
#if defined(__x86_64__)
  if (argc > 3) _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
  const Box box = {{0, 0, 0}, {SIZE, SIZE, DEPTH}};
  double least = 1e300;
  for (int round = 0; round < rounds; ++round) {
    memset(g.fields, 0, g.field_stride * SXX * sizeof(float));
    const double begin = now();
    update_velocity(&g, &box);
    const double took = now() - begin;
    if (took < least) least = took;
  }
  printf("%.3f\n", least / (SIZE * SIZE * DEPTH));
  free(g.fields);
  free(g.materials);
  return 0;
}
