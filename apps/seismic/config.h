// SPDX-License-Identifier: Apache-2.0
// The contents of a scenario file. Lengths are metres, times seconds, velocities m/s, densities kg/m^3,
// moments N m, angles degrees. Axes: z points down, y to the right of x; strike is counted clockwise from x
// (the map shows x up).
#pragma once
#include <stddef.h>

enum { MAX_LAYERS = 32, MAX_BASINS = 8, MAX_SOURCES = 64, MAX_STATIONS = 64, NAME_LENGTH = 32 };

// A rock. A quality factor of 0 means no attenuation.
typedef struct Rock {
  double vp, vs, rho, qp, qs;
} Rock;

// Rock from depth `top` down to the next layer.
typedef struct Layer {
  double top;
  Rock rock;
  int line;
} Layer;

// Half of an ellipsoid hanging from the surface; later basins lie in earlier ones.
typedef struct Basin {
  double x, y, radius_x, radius_y, depth;
  Rock rock;
  int line;
} Basin;

// A double couple (strike, dip, rake), or an explosion if `explosion` is 1. The moment is released in
// `duration` from `start` on.
typedef struct Source {
  double x, y, z, moment, strike, dip, rake, start, duration, explosion;
  int line;
} Source;

typedef struct Station {
  char name[NAME_LENGTH];
  double x, y, z;
  int line;
} Station;

typedef struct Config {
  double nx, ny, nz, spacing;  // cells (whole numbers), edge of a cell
  double step, steps, floor;   // velocities below `floor` (m/s) count as zero
  double subnormals;  // 1: numbers below 1e-38 are kept (0: they count as zero, where that is possible)
  double layer, frequency,
      free_surface;  // absorbing layer: cells, its frequency in Hz; top is free (1) or absorbs (0)
  double q_low, q_high, q_reference;  // band where Q is constant, frequency where vp and vs hold, Hz
  Layer layers[MAX_LAYERS];
  Basin basins[MAX_BASINS];
  Source sources[MAX_SOURCES];
  Station stations[MAX_STATIONS];
  int n_layers, n_basins, n_sources, n_stations;
} Config;

// Parses `text`, the contents of `file`, into `config`. Returns 0, or -1 with a message in `error` that names
// the file, the line, and the key. Changes `text`.
int config_parse(char* text, const char* file, Config* config, char* error, size_t error_size);
