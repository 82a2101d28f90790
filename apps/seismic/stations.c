// SPDX-License-Identifier: Apache-2.0
#include "stations.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Trace {
  int station, i, j, k;
  float* samples;  // vx, vy, vz of each step
} Trace;

static Trace traces[MAX_STATIONS];
static int n_traces, n_steps;
static float* sample_memory;
static float* peak;  // highest vx^2 + vy^2 so far, of the own cells of the surface

void stations_create(const Config* c, const Grid* g, int steps) {
  n_traces = n_steps = 0;
  for (int s = 0; s < c->n_stations; ++s) {
    const Station* station = &c->stations[s];
    const int i = (int)lround(station->x / g->h) - g->origin[0],
              j = (int)lround(station->y / g->h) - g->origin[1];
    if (i < 0 || i >= g->size[0] || j < 0 || j >= g->size[1]) continue;
    traces[n_traces++] = (Trace){.station = s, .i = i, .j = j, .k = (int)lround(station->z / g->h)};
  }
  sample_memory = allocate(3 * (size_t)steps * (size_t)n_traces, sizeof(float), "the seismograms");
  for (int t = 0; t < n_traces; ++t) traces[t].samples = sample_memory + 3 * (size_t)steps * (size_t)t;
  peak = allocate((size_t)g->size[0] * (size_t)g->size[1], sizeof(float), "the map");
}

void stations_destroy(void) {
  free(sample_memory);
  free(peak);
}

void stations_record(const Grid* g, const Tiles* tiles) {
  for (int t = 0; t < n_traces; ++t) {
    const Trace* trace = &traces[t];
    float* sample = trace->samples + 3 * (size_t)n_steps;
    for (int component = 0; component < 3; ++component)
      sample[component] = field(g, VX + component)[cell(g, trace->i, trace->j, trace->k)];
  }
  ++n_steps;
  for (int n = 0; n < tiles->total; ++n) {
    const Tile* tile = &tiles->tile[n];
    if (!tile->awake || tile->box.lo[2] != 0) continue;
    for (int i = tile->box.lo[0]; i < tile->box.hi[0]; ++i)
      for (int j = tile->box.lo[1]; j < tile->box.hi[1]; ++j) {
        const float vx = field(g, VX)[cell(g, i, j, 0)], vy = field(g, VY)[cell(g, i, j, 0)];
        float* highest = &peak[(size_t)i * (size_t)g->size[1] + (size_t)j];
        const float now = vx * vx + vy * vy;
        if (now > *highest) *highest = now;
      }
  }
}

static FILE* open_output(char* path, size_t size, const char* directory, const char* name,
                         const char* ending) {
  const int length = snprintf(path, size, "%s/%s%s", directory, name, ending);
  if (length < 0 || (size_t)length >= size) {
    fprintf(stderr, "seismic: the path %s/%s%s is too long\n", directory, name, ending);
    return NULL;
  }
  FILE* file = fopen(path, "wb");
  if (!file)
    fprintf(stderr, "seismic: cannot write %s: %s; --output names the directory\n", path, strerror(errno));
  return file;
}

static int close_output(FILE* file, const char* path) {
  const int failed = ferror(file);
  if (fclose(file) == 0 && !failed) return 0;
  fprintf(stderr, "seismic: cannot write %s: %s\n", path, strerror(errno));
  return -1;
}

static int write_trace(const Config* c, const Grid* g, const Trace* t, const char* directory) {
  char path[4096];
  FILE* file = open_output(path, sizeof path, directory, c->stations[t->station].name, ".txt");
  if (!file) return -1;
  const double x = (g->origin[0] + t->i) * g->h, y = (g->origin[1] + t->j) * g->h, z = t->k * g->h,
               half = g->h / 2;
  fprintf(file, "# station %s: time (s), vx, vy, vz (m/s; z down)\n", c->stations[t->station].name);
  fprintf(file, "# vx at %.9g %.9g %.9g\n# vy at %.9g %.9g %.9g\n# vz at %.9g %.9g %.9g\n", x + half, y, z, x,
          y + half, z, x, y, z + half);
  for (int n = 0; n < n_steps; ++n) {
    const float* v = t->samples + 3 * (size_t)n;
    // Adding zero turns a negative zero into a positive one.
    fprintf(file, "%.9g %.8e %.8e %.8e\n", (n + 0.5) * g->dt, v[0] + 0.0f, v[1] + 0.0f, v[2] + 0.0f);
  }
  return close_output(file, path);
}

// Writes the map with x up, y right. Grey is the square root of the share of the highest value, so that weak
// shaking shows.
static int write_map(const Grid* g, const float* world, const char* directory) {
  const int nx = g->global[0], ny = g->global[1];
  float highest = 0;
  for (size_t n = 0; n < (size_t)nx * (size_t)ny; ++n) highest = fmaxf(highest, world[n]);
  char path[4096];
  FILE* file = open_output(path, sizeof path, directory, "pgv", ".pgm");
  if (!file) return -1;
  fprintf(file, "P5\n# peak horizontal ground velocity: %.6e m/s * (grey/255)^2\n%d %d\n255\n", sqrt(highest),
          ny, nx);
  for (int i = nx - 1; i >= 0; --i)
    for (int j = 0; j < ny; ++j) {
      const double share = highest > 0 ? world[(size_t)i * (size_t)ny + (size_t)j] / highest : 0;
      fputc((int)lround(255 * sqrt(sqrt(share))), file);
    }
  return close_output(file, path);
}

int stations_write(const Config* c, const Grid* g, const char* directory) {
  int result = 0, rank = 0, ranks = 0;
  for (int t = 0; t < n_traces; ++t)
    if (write_trace(c, g, &traces[t], directory) != 0) result = -1;

  // Each rank sends its place and its part of the map; rank 0 receives it in place as a subarray of the
  // world.
  MPI_Comm_rank(g->comm, &rank);
  MPI_Comm_size(g->comm, &ranks);
  const int place[4] = {g->origin[0], g->origin[1], g->size[0], g->size[1]};
  int* places = rank == 0 ? allocate(4 * (size_t)ranks, sizeof *places, "the map") : NULL;
  MPI_Gather(place, 4, MPI_INT, places, 4, MPI_INT, 0, g->comm);
  MPI_Request sent;
  MPI_Isend(peak, g->size[0] * g->size[1], MPI_FLOAT, 0, 0, g->comm, &sent);
  if (rank == 0) {
    float* world = allocate((size_t)g->global[0] * (size_t)g->global[1], sizeof *world, "the map");
    for (int r = 0; r < ranks; ++r) {
      MPI_Datatype part;
      const int* p = &places[4 * r];
      MPI_Type_create_subarray(2, g->global, p + 2, p, MPI_ORDER_C, MPI_FLOAT, &part);
      MPI_Type_commit(&part);
      MPI_Recv(world, 1, part, r, 0, g->comm, MPI_STATUS_IGNORE);
      MPI_Type_free(&part);
    }
    if (write_map(g, world, directory) != 0) result = -1;
    free(world);
    free(places);
  }
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  return result;
}
