// SPDX-License-Identifier: Apache-2.0
#include "parameters.hpp"

#include <unistd.h>

#include <fstream>
#include <map>

#include "apps/common/command_line.hpp"
#include "gas.hpp"

namespace samr {
namespace {

const std::map<std::string, Problem> problems{
    {"sod", Problem::sod}, {"sedov", Problem::sedov}, {"shockpool3d", Problem::shockpool3d}};

/// What level 0 takes at a step: cells, those before, and those with ghost cells.
double bytes_of(const Parameters& p) { return 3.0 * static_cast<double>(p.domain().cells()) * sizeof(State); }

double memory_of_nodes(int nodes) {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)) * nodes;
}

double default_end(Problem problem) {
  switch (problem) {
    case Problem::sod:
      return 0.2;
    case Problem::sedov:
      return 0.1;
    case Problem::shockpool3d:
      break;
  }
  return 0.2;
}

void declare(CLI::App& app, CommandLine& line, std::vector<std::int32_t>& cells, std::optional<double>& end) {
  Parameters& p = line.parameters;
  const auto option = [&](const char* name, auto& value, const char* help) {
    return apps::option(app, name, value, help);
  };
  app.set_config("--scenario", "",
                 "file with lines such as `levels = 4`; options of the command line go before it");
  app.allow_config_extras(CLI::config_extras_mode::error);
  option("--problem", p.problem, "what is in the domain at the start: see README.md")
      ->default_str("shockpool3d")
      ->transform(CLI::CheckedTransformer(problems).description("sod|sedov|shockpool3d"));
  option("--cells", cells, "of level 0 along x, y and z, even; the domain is 1 long along x")
      ->delimiter(',')
      ->expected(axes)
      ->check(CLI::Range(4, 4096))
      ->default_str("32,32,32");
  option("--levels", p.levels, "at most; 1: no refinement")->check(CLI::Range(1, 12));
  option("--end", end, "time to reach")->check(CLI::Range(0.0, 1e3));
  option("--steps", p.steps, "of level 0 at most; 0: until the end")->check(CLI::Range(0, 1'000'000'000));
  option("--report", p.report, "a line every so many steps of level 0")->check(CLI::Range(1, 1'000'000'000));
  option("--buffer", p.buffer, "cells that are refined around a flagged one")->check(CLI::Range(0, 16));
  option("--greatest", p.greatest, "cells of a grid along an axis, at most, even")
      ->check(CLI::Range(4, 4096));
  option("--courant", p.courant, "time step, in what waves along all axes take through a cell")
      ->check(CLI::Range(0.01, 1.0));
  option("--steepness", p.steepness, "relative jump between cells from which they are refined")
      ->check(CLI::Range(1e-6, 10.0));
  option("--efficiency", p.efficiency, "share of a grid's cells that is flagged, at least")
      ->check(CLI::Range(0.01, 1.0));
  option("--heat-ratio", p.heat_ratio, "ratio of specific heats")->check(CLI::Range(1.01, 3.0));
  option("--mach", p.mach, "of the shock of shockpool3d")->check(CLI::Range(1.01, 100.0));
  option("--tilt", p.tilt, "of its front, in degrees")->check(CLI::Range(0.0, 45.0));
  option("--radius", p.radius, "of the explosion of sedov")->check(CLI::Range(1e-4, 1.0));
  option(
      "--write", line.write,
      "file for the cells at the end; a name with .png or .ppm: for a picture of the density in the middle");
}

void check_even(const char* name, std::int32_t value) {
  if (value % refinement != 0) throw CLI::ValidationError(name, std::to_string(value) + " is odd");
}

void complete(Parameters& p, const std::vector<std::int32_t>& cells, const std::optional<double>& end,
              int nodes) {
  if (!cells.empty()) std::ranges::copy(cells, p.cells.begin());
  p.end = end.value_or(default_end(p.problem));
  for (const std::int32_t along : p.cells) check_even("--cells", along);
  check_even("--greatest", p.greatest);
  for (const std::int32_t along : p.cells)
    if (std::int64_t{along} << p.finest() > std::int64_t{1} << 22)
      throw CLI::ValidationError("--levels", "a finest level of more than 2^22 cells along an axis");
  if (bytes_of(p) > memory_of_nodes(nodes))
    throw CLI::ValidationError("--cells", "level 0 takes " +
                                              std::to_string(std::llround(bytes_of(p) / 0x1p30)) +
                                              " GiB, and there are " +
                                              std::to_string(std::llround(memory_of_nodes(nodes) / 0x1p30)));
  if (p.problem == Problem::sedov && p.radius < 0.5 * p.spacing(p.finest()))
    throw CLI::ValidationError("--radius",
                               std::to_string(p.radius) + " is less than half a cell of the finest level");
}

void check_writable(const std::string& file) {
  if (file.empty()) return;
  if (!std::ofstream(file, std::ios::app)) throw CLI::ValidationError("--write", file + " cannot be written");
}

}  // namespace

std::optional<int> read(const std::vector<std::string>& words, int nodes, CommandLine& line) {
  CLI::App app("The Euler equations in three dimensions on levels of grids that follow the gas.", "samr");
  std::vector<std::int32_t> cells;
  std::optional<double> end;
  declare(app, line, cells, end);
  return apps::read(app, words, [&] {
    complete(line.parameters, cells, end, nodes);
    check_writable(line.write);
  });
}

}  // namespace samr
