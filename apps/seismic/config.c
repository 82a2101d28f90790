// SPDX-License-Identifier: Apache-2.0
// A scenario file consists of lines `directive key=value key=value ...`; `#` starts a comment. One table
// defines all directives.
#include "config.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Kind { NUMBER, COUNT, NAME } Kind;
typedef struct Key {
  const char* name;
  Kind kind;
  int required;
  size_t offset;
  double low, high;
} Key;
typedef struct Directive {
  const char* name;
  size_t base, size, count_offset,
      line_offset;  // of the array, of one element, of the array's length, of `line`
  int most;
  const Key* keys;
} Directive;

#define ROCK(type)                                                                                        \
  {"vp", NUMBER, 1, offsetof(type, rock.vp), 1, 2e4}, {"vs", NUMBER, 1, offsetof(type, rock.vs), 1, 2e4}, \
      {"rho", NUMBER, 1, offsetof(type, rock.rho), 1, 2e4},                                               \
      {"qp", NUMBER, 0, offsetof(type, rock.qp), 10, 1e6},                                                \
      {"qs", NUMBER, 0, offsetof(type, rock.qs), 10, 1e6}, {                                              \
    NULL, NUMBER, 0, 0, 0, 0                                                                              \
  }

static const Key grid_keys[] = {{"nx", COUNT, 1, offsetof(Config, nx), 8, 1e5},
                                {"ny", COUNT, 1, offsetof(Config, ny), 8, 1e5},
                                {"nz", COUNT, 1, offsetof(Config, nz), 8, 1e5},
                                {"spacing", NUMBER, 1, offsetof(Config, spacing), 1e-3, 1e6},
                                {NULL, NUMBER, 0, 0, 0, 0}};
static const Key time_keys[] = {{"step", NUMBER, 1, offsetof(Config, step), 1e-9, 1e3},
                                {"steps", COUNT, 1, offsetof(Config, steps), 1, 1e9},
                                {"floor", NUMBER, 0, offsetof(Config, floor), 0, 1},
                                {"subnormals", COUNT, 0, offsetof(Config, subnormals), 0, 1},
                                {NULL, NUMBER, 0, 0, 0, 0}};
static const Key boundary_keys[] = {{"layer", COUNT, 1, offsetof(Config, layer), 2, 200},
                                    {"frequency", NUMBER, 1, offsetof(Config, frequency), 1e-6, 1e6},
                                    {"free_surface", COUNT, 0, offsetof(Config, free_surface), 0, 1},
                                    {NULL, NUMBER, 0, 0, 0, 0}};
static const Key attenuation_keys[] = {{"low", NUMBER, 1, offsetof(Config, q_low), 1e-6, 1e6},
                                       {"high", NUMBER, 1, offsetof(Config, q_high), 1e-6, 1e6},
                                       {"reference", NUMBER, 1, offsetof(Config, q_reference), 1e-6, 1e6},
                                       {NULL, NUMBER, 0, 0, 0, 0}};
static const Key layer_keys[] = {{"top", NUMBER, 1, offsetof(Layer, top), 0, 1e7}, ROCK(Layer)};
static const Key basin_keys[] = {{"x", NUMBER, 1, offsetof(Basin, x), -1e7, 1e7},
                                 {"y", NUMBER, 1, offsetof(Basin, y), -1e7, 1e7},
                                 {"radius_x", NUMBER, 1, offsetof(Basin, radius_x), 1e-3, 1e7},
                                 {"radius_y", NUMBER, 1, offsetof(Basin, radius_y), 1e-3, 1e7},
                                 {"depth", NUMBER, 1, offsetof(Basin, depth), 1e-3, 1e7},
                                 ROCK(Basin)};
static const Key source_keys[] = {{"x", NUMBER, 1, offsetof(Source, x), 0, 1e7},
                                  {"y", NUMBER, 1, offsetof(Source, y), 0, 1e7},
                                  {"z", NUMBER, 1, offsetof(Source, z), 0, 1e7},
                                  {"moment", NUMBER, 1, offsetof(Source, moment), 0, 1e24},
                                  {"duration", NUMBER, 1, offsetof(Source, duration), 1e-6, 1e4},
                                  {"start", NUMBER, 0, offsetof(Source, start), 0, 1e5},
                                  {"strike", NUMBER, 0, offsetof(Source, strike), -360, 360},
                                  {"dip", NUMBER, 0, offsetof(Source, dip), 0, 90},
                                  {"rake", NUMBER, 0, offsetof(Source, rake), -180, 180},
                                  {"explosion", COUNT, 0, offsetof(Source, explosion), 0, 1},
                                  {NULL, NUMBER, 0, 0, 0, 0}};
static const Key station_keys[] = {{"name", NAME, 1, offsetof(Station, name), 0, 0},
                                   {"x", NUMBER, 1, offsetof(Station, x), 0, 1e7},
                                   {"y", NUMBER, 1, offsetof(Station, y), 0, 1e7},
                                   {"z", NUMBER, 0, offsetof(Station, z), 0, 1e7},
                                   {NULL, NUMBER, 0, 0, 0, 0}};

enum { GRID, TIME, BOUNDARY, ATTENUATION, LAYER, BASIN, SOURCE, STATION, DIRECTIVES };
#define LIST(field, type, count) \
  offsetof(Config, field), sizeof(type), offsetof(Config, count), offsetof(type, line)
static const Directive directives[DIRECTIVES] = {
    {"grid", 0, 0, 0, 0, 1, grid_keys},
    {"time", 0, 0, 0, 0, 1, time_keys},
    {"boundary", 0, 0, 0, 0, 1, boundary_keys},
    {"attenuation", 0, 0, 0, 0, 1, attenuation_keys},
    {"layer", LIST(layers, Layer, n_layers), MAX_LAYERS, layer_keys},
    {"basin", LIST(basins, Basin, n_basins), MAX_BASINS, basin_keys},
    {"source", LIST(sources, Source, n_sources), MAX_SOURCES, source_keys},
    {"station", LIST(stations, Station, n_stations), MAX_STATIONS, station_keys},
};

typedef struct Reader {
  const char* file;
  int line;
  int seen[DIRECTIVES];
  Config* config;
  char* error;
  size_t error_size;
} Reader;

// Writes the message, with file and line in front (line 0: the file as a whole). Always returns -1.
static int fail(const Reader* r, int line, const char* format, ...) {
  int used = line > 0 ? snprintf(r->error, r->error_size, "%s:%d: ", r->file, line)
                      : snprintf(r->error, r->error_size, "%s: ", r->file);
  va_list arguments;
  va_start(arguments, format);
  if (used >= 0 && (size_t)used < r->error_size)
    vsnprintf(r->error + used, r->error_size - (size_t)used, format, arguments);
  va_end(arguments);
  return -1;
}

static int unknown_key(const Reader* r, const Directive* d, const char* key) {
  char valid[256] = "";
  for (const Key* k = d->keys; k->name; ++k) {
    if (k != d->keys) strncat(valid, ", ", sizeof valid - strlen(valid) - 1);
    strncat(valid, k->name, sizeof valid - strlen(valid) - 1);
  }
  return fail(r, r->line, "%s: unknown key '%s'; it takes: %s", d->name, key, valid);
}

static int store(const Reader* r, const Directive* d, const Key* key, const char* value, void* target) {
  char* place = (char*)target + key->offset;
  if (key->kind == NAME) {
    const size_t length = strlen(value);
    if (length == 0 || length >= NAME_LENGTH || strchr(value, '/') || value[0] == '.')
      return fail(r, r->line,
                  "%s: key '%s': '%s' is not a name of 1 to %d characters without '/' and leading '.'",
                  d->name, key->name, value, NAME_LENGTH - 1);
    memcpy(place, value, length + 1);
    return 0;
  }
  char* end = NULL;
  const double number = strtod(value, &end);
  if (end == value || *end != '\0' || !isfinite(number))
    return fail(r, r->line, "%s: key '%s': '%s' is not a number", d->name, key->name, value);
  if (number < key->low || number > key->high)
    return fail(r, r->line, "%s: key '%s': %s is outside %g to %g", d->name, key->name, value, key->low,
                key->high);
  if (key->kind == COUNT && number != floor(number))
    return fail(r, r->line, "%s: key '%s': %s is not a whole number", d->name, key->name, value);
  memcpy(place, &number, sizeof number);
  return 0;
}

// Cuts the next word off `rest`; NULL at the end.
static char* next_word(char** rest) {
  static const char space[] = " \t\r";
  char* word = *rest + strspn(*rest, space);
  char* end = word + strcspn(word, space);
  *rest = *end != '\0' ? end + 1 : end;
  *end = '\0';
  return end > word ? word : NULL;
}

static int parse_directive(Reader* r, int which, char** rest) {
  const Directive* d = &directives[which];
  if (r->seen[which]++ == d->most)
    return fail(r, r->line, "%s: at most %d such line%s", d->name, d->most, d->most > 1 ? "s" : "");
  char* target = (char*)r->config;
  if (d->size > 0) {
    int* count = (int*)(target + d->count_offset);
    target += d->base + d->size * (size_t)(*count)++;
    memcpy(target + d->line_offset, &r->line, sizeof r->line);
  }
  unsigned given = 0;
  for (char* word = next_word(rest); word; word = next_word(rest)) {
    char* equals = strchr(word, '=');
    if (!equals) return fail(r, r->line, "%s: '%s' is not of the form key=value", d->name, word);
    *equals = '\0';
    const Key* key = d->keys;
    while (key->name && strcmp(key->name, word) != 0) ++key;
    if (!key->name) return unknown_key(r, d, word);
    const unsigned bit = 1u << (key - d->keys);
    if (given & bit) return fail(r, r->line, "%s: key '%s' is given twice", d->name, word);
    given |= bit;
    if (store(r, d, key, equals + 1, target) != 0) return -1;
  }
  for (const Key* key = d->keys; key->name; ++key)
    if (key->required && !(given & 1u << (key - d->keys)))
      return fail(r, r->line, "%s: key '%s' is missing", d->name, key->name);
  return 0;
}

static int parse_line(Reader* r, char* line) {
  char* comment = strchr(line, '#');
  if (comment) *comment = '\0';
  char* rest = line;
  const char* word = next_word(&rest);
  if (!word) return 0;
  for (int i = 0; i < DIRECTIVES; ++i)
    if (strcmp(directives[i].name, word) == 0) return parse_directive(r, i, &rest);
  return fail(
      r, r->line,
      "unknown directive '%s'; there are: grid, time, boundary, attenuation, layer, basin, source, station",
      word);
}

static int check_rock(const Reader* r, const char* what, const Rock* rock, int line, double* fastest) {
  if (rock->vp < 1.16 * rock->vs)  // bulk modulus rho (vp^2 - 4/3 vs^2) > 0
    return fail(r, line, "%s: key 'vp': %g is below 1.16 times vs (%g): no rock is so", what, rock->vp,
                rock->vs);
  if ((rock->qp > 0) != (rock->qs > 0)) return fail(r, line, "%s: keys 'qp' and 'qs' go together", what);
  if (rock->qp > 0 && !r->seen[ATTENUATION])
    return fail(r, line, "%s: key 'qp' needs an 'attenuation' line", what);
  if (rock->vp > *fastest) *fastest = rock->vp;
  return 0;
}

// Checks conditions between lines.
static int check(const Reader* r) {
  const Config* c = r->config;
  static const int needed[] = {GRID, TIME, BOUNDARY, LAYER, SOURCE};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i)
    if (!r->seen[needed[i]]) return fail(r, 0, "the line '%s' is missing", directives[needed[i]].name);
  if (r->seen[ATTENUATION] && c->q_low >= c->q_high)
    return fail(r, 0, "attenuation: key 'low': %g is not below 'high' (%g)", c->q_low, c->q_high);
  const double room = fmin(fmin(c->nx, c->ny), c->nz);
  if (2 * c->layer + 4 > room)
    return fail(r, 0, "boundary: key 'layer': two absorbing layers of %g cells do not fit in %g cells",
                c->layer, room);

  double fastest = 0;
  for (int i = 0; i < c->n_layers; ++i) {
    if (i == 0 ? c->layers[0].top != 0 : c->layers[i].top <= c->layers[i - 1].top)
      return fail(r, c->layers[i].line, "layer: key 'top': layers start at 0 and go down");
    if (check_rock(r, "layer", &c->layers[i].rock, c->layers[i].line, &fastest) != 0) return -1;
  }
  for (int i = 0; i < c->n_basins; ++i)
    if (check_rock(r, "basin", &c->basins[i].rock, c->basins[i].line, &fastest) != 0) return -1;
  const double longest = 6 * c->spacing / (7 * sqrt(3.0) * fastest);
  if (c->step > longest)
    return fail(r, 0, "time: key 'step': %g is above %.4g, the stability limit for spacing %g and vp %g",
                c->step, longest, c->spacing, fastest);

  const double high[3] = {(c->nx - 1) * c->spacing, (c->ny - 1) * c->spacing, (c->nz - 1) * c->spacing};
  const double margin = 3 * c->spacing;
  for (int i = 0; i < c->n_sources; ++i) {
    const Source* s = &c->sources[i];
    const double at[3] = {s->x, s->y, s->z};
    for (int axis = 0; axis < 3; ++axis)
      if (at[axis] < margin || at[axis] > high[axis] - margin)
        return fail(r, s->line, "source: key '%c': %g is not at least 3 cells inside the grid (%g to %g)",
                    "xyz"[axis], at[axis], margin, high[axis] - margin);
  }
  for (int i = 0; i < c->n_stations; ++i) {
    const Station* s = &c->stations[i];
    const double at[3] = {s->x, s->y, s->z};
    for (int axis = 0; axis < 3; ++axis)
      if (at[axis] > high[axis])
        return fail(r, s->line, "station: key '%c': %g is outside the grid (0 to %g)", "xyz"[axis], at[axis],
                    high[axis]);
    for (int j = 0; j < i; ++j)
      if (strcmp(s->name, c->stations[j].name) == 0)
        return fail(r, s->line, "station: key 'name': '%s' is also the station of line %d", s->name,
                    c->stations[j].line);
  }
  return 0;
}

int config_parse(char* text, const char* file, Config* config, char* error, size_t error_size) {
  memset(config, 0, sizeof *config);
  Reader reader = {.file = file, .config = config, .error = error, .error_size = error_size};
  for (char* line = text; line;) {
    char* end = strchr(line, '\n');
    if (end) *end = '\0';
    ++reader.line;
    if (parse_line(&reader, line) != 0) return -1;
    line = end ? end + 1 : NULL;
  }
  return check(&reader);
}
