// SPDX-License-Identifier: Apache-2.0
// seismic: 3-D elastic waves of an earthquake. See README.md.
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include "config.h"
#include "cpml.h"
#include "exchange.h"
#include "grid.h"
#include "material.h"
#include "source.h"
#include "stations.h"
#include "tiles.h"

// Present when the program runs on a runtime that can move ranks; absent under a plain MPI library.
extern int MPI_Migrate(void) __attribute__((weak));

typedef struct Options {
  const char* scenario;
  const char* output;
  int steps;          // 0: as the scenario says
  int migrate_every;  // 0: never
  int dims[2];
  int skip;
} Options;

static Options options = {.output = "seismic-out", .skip = 1};
static Config config;
static Grid grid;
static Tiles tiles;

static const char usage[] =
    "usage: seismic [options] SCENARIO\n"
    "  --steps N        time steps (default: the scenario's)\n"
    "  --output DIR     directory of the results (default: seismic-out; made if missing)\n"
    "  --migrate K      call MPI_Migrate() every K steps where there is one\n"
    "  --dims PXxPY     ranks along x and y (default: MPI_Dims_create)\n"
    "  --no-skip        update also the tiles that the wave has not reached\n";

static int positive(const char* text, int* value) {
  char* end = NULL;
  errno = 0;
  const long number = strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno != 0 || number < 1 || number > 1000000000) return -1;
  *value = (int)number;
  return 0;
}

// Returns 0, or -1 with a message in `error`.
static int parse_arguments(int argc, char** argv, char* error, size_t size) {
  for (int a = 1; a < argc; ++a) {
    const char* name = argv[a];
    if (strcmp(name, "--no-skip") == 0) {
      options.skip = 0;
    } else if (strncmp(name, "--", 2) != 0) {
      if (options.scenario) {
        snprintf(error, size, "one scenario at a time: %s and %s", options.scenario, name);
        return -1;
      }
      options.scenario = name;
    } else {
      const char* value = a + 1 < argc ? argv[a + 1] : "";
      char tail = 0;
      int bad = 0;
      if (strcmp(name, "--steps") == 0)
        bad = positive(value, &options.steps);
      else if (strcmp(name, "--migrate") == 0)
        bad = positive(value, &options.migrate_every);
      else if (strcmp(name, "--output") == 0)
        options.output = value, bad = value[0] == '\0';
      else if (strcmp(name, "--dims") == 0)
        bad = sscanf(value, "%dx%d%c", &options.dims[0], &options.dims[1], &tail) != 2 ||
              options.dims[0] < 1 || options.dims[1] < 1;
      else {
        snprintf(error, size, "unknown option '%s'", name);
        return -1;
      }
      if (bad) {
        snprintf(error, size, "option %s: bad value '%s'", name, value);
        return -1;
      }
      ++a;
    }
  }
  if (!options.scenario) {
    snprintf(error, size, "no scenario given");
    return -1;
  }
  return 0;
}

// Returns the whole file with a zero at its end, or NULL.
static char* read_file(const char* path, int* length, char* error, size_t size) {
  FILE* file = fopen(path, "rb");
  if (!file) {
    snprintf(error, size, "cannot read %s: %s", path, strerror(errno));
    return NULL;
  }
  enum { MOST = 1 << 20 };
  char* text = allocate(MOST + 1, 1, "the scenario");
  const size_t count = fread(text, 1, MOST + 1, file);
  const int failed = ferror(file);
  fclose(file);
  if (failed || count > MOST) {
    snprintf(error, size, failed ? "cannot read %s" : "%s is longer than 1 MiB: it is no scenario", path);
    free(text);
    return NULL;
  }
  text[count] = '\0';
  *length = (int)count + 1;
  return text;
}

// Rank 0 reads the scenario and makes the output directory; all ranks parse it. Returns 0, or -1 with a
// message in `error` of rank 0. Collective.
static int load(int rank, char* error, size_t size) {
  char* text = NULL;
  int length = 0;
  if (rank == 0) {
    text = read_file(options.scenario, &length, error, size);
    if (text && mkdir(options.output, 0777) != 0 && errno != EEXIST) {
      snprintf(error, size, "cannot make the output directory %s: %s", options.output, strerror(errno));
      length = 0;
    }
  }
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  int result = -1;
  if (length > 0) {
    if (rank != 0) text = allocate((size_t)length, 1, "the scenario");
    MPI_Bcast(text, length, MPI_CHAR, 0, MPI_COMM_WORLD);
    result = config_parse(text, options.scenario, &config, error, size);
  }
  free(text);
  return result;
}

static double busy;  // processor seconds this rank computed in the time loop

static double processor_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void one_step(int step) {
  double mark = processor_seconds();
  tiles_wake_for_velocity(&tiles, &grid);
  tiles_update_velocity(&tiles, &grid);
  busy += processor_seconds() - mark;
  exchange(&grid, &tiles, VELOCITIES);

  mark = processor_seconds();
  tiles_wake_for_stress(&tiles, &grid);
  source_inject(&grid, &tiles, (step + 0.5) * grid.dt);
  tiles_update_stress(&tiles, &grid);
  stations_record(&grid, &tiles);
  busy += processor_seconds() - mark;
  exchange(&grid, &tiles, STRESSES);
}

static void report(int rank, int ranks, int steps, double seconds) {
  double least = 0, most = 0, sum = 0;
  long long updates = 0;
  MPI_Reduce(&busy, &least, 1, MPI_DOUBLE, MPI_MIN, 0, grid.comm);
  MPI_Reduce(&busy, &most, 1, MPI_DOUBLE, MPI_MAX, 0, grid.comm);
  MPI_Reduce(&busy, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, grid.comm);
  MPI_Reduce(&tiles.updates, &updates, 1, MPI_LONG_LONG, MPI_SUM, 0, grid.comm);
  if (rank != 0) return;
  const double cells = (double)grid.global[0] * grid.global[1] * grid.global[2];
  printf("ranks: %d (%d x %d), cells: %.0f, steps: %d\n", ranks, grid.dims[0], grid.dims[1], cells, steps);
  printf("cells updated: %.1f %%, %.2f million a second\n", 100 * (double)updates / (cells * steps),
         (double)updates / seconds * 1e-6);
  printf("processor time per rank: %.3f to %.3f s, mean %.3f s\n", least, most, sum / ranks);
  printf("time loop: %.3f s\n", seconds);
}

static int simulate(int rank, int ranks) {
#ifdef __SSE__
  // Numbers below 1e-38 are slow and mean nothing.
  if (!config.subnormals) _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
  grid_create(&grid, &config, options.dims);
  Model model;
  model_create(&model, &config, &grid);
  material_fill(&model, &grid);
  cpml_create(&grid, &config);
  tiles_create(&tiles, &grid, &model, options.skip);
  model_destroy(&model);
  source_create(&config, &grid);
  exchange_create(&grid, &tiles);
  const int steps = options.steps > 0 ? options.steps : (int)config.steps;
  stations_create(&config, &grid, steps);

  MPI_Barrier(grid.comm);
  const double start = MPI_Wtime();
  for (int step = 0; step < steps; ++step) {
    if (options.migrate_every > 0 && step > 0 && step % options.migrate_every == 0 && MPI_Migrate)
      MPI_Migrate();
    one_step(step);
  }
  MPI_Barrier(grid.comm);
  const double seconds = MPI_Wtime() - start;

  const int failed = stations_write(&config, &grid, options.output) != 0;
  int any_failed = 0;
  MPI_Allreduce(&failed, &any_failed, 1, MPI_INT, MPI_MAX, grid.comm);
  if (!any_failed) report(rank, ranks, steps, seconds);

  stations_destroy();
  exchange_destroy();
  source_destroy();
  tiles_destroy(&tiles);
  cpml_destroy();
  grid_destroy(&grid);
  return any_failed;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char error[512] = "";
  int status = 1;
  if (parse_arguments(argc, argv, error, sizeof error) != 0) {
    if (rank == 0) fprintf(stderr, "seismic: %s\n%s", error, usage);
  } else if (load(rank, error, sizeof error) != 0) {
    if (rank == 0) fprintf(stderr, "seismic: %s\n", error);
  } else {
    status = simulate(rank, ranks);
  }
  MPI_Finalize();
  return status;
}
