// SPDX-License-Identifier: Apache-2.0
#include "parameters.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>

#include "apps/common/command_line.hpp"
#include "apps/common/picture.hpp"

namespace samr {
namespace {

const std::map<std::string, Problem> problems{
    {"sod", Problem::sod},           {"sedov", Problem::sedov},     {"shockpool3d", Problem::shockpool3d},
    {"collapse", Problem::collapse}, {"pancake", Problem::pancake}, {"amr64", Problem::amr64},
    {"amr128", Problem::amr128}};

/// The values that were given; the problem has defaults for the others.
struct Said {
  std::vector<std::int32_t> cells;
  std::optional<std::int32_t> levels;
  std::optional<double> end, steepness, overdensity, radius, gravity, gas_share, memory, mach, tilt;
};

/// The defaults of problems with gravity.
struct Gravitation {
  double end, overdensity, gas_share;
};

std::optional<Gravitation> gravitation(Problem problem) {
  switch (problem) {
    case Problem::collapse:
      return Gravitation{1.5, 0.5, 1};
    case Problem::pancake:
      return Gravitation{2, 0, 1e-6};
    case Problem::amr64:
    case Problem::amr128:
      return Gravitation{1, 3, 0.2};
    default:
      return std::nullopt;
  }
}

/// Returns the memory in GiB.
double memory_of_nodes(int nodes) {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)) * nodes /
         0x1p30;
}

void declare(CLI::App& app, CommandLine& line, Said& said) {
  Parameters& p = line.parameters;
  const auto option = [&](const char* name, auto& value, const char* help) {
    return apps::option(app, name, value, help);
  };
  app.set_config("--scenario", "",
                 "file with lines such as `levels = 4`; options of the command line go before it");
  app.allow_config_extras(CLI::config_extras_mode::error);
  option("--problem", p.problem, "what is in the domain at the start: see README.md")
      ->default_str("shockpool3d")
      ->transform(CLI::CheckedTransformer(problems).description(
          "sod|sedov|shockpool3d|collapse|pancake|amr64|amr128"));
  option("--cells", said.cells, "of level 0 along x, y and z, even; the domain is 1 long along x")
      ->delimiter(',')
      ->expected(axes)
      ->check(CLI::Range(4, 4096))
      ->default_str("32,32,32; of amr128 64,64,64");
  option("--levels", said.levels, "at most; 1: no refinement")
      ->check(CLI::Range(1, 12))
      ->default_str("3; where nothing is refined 1");
  option("--end", said.end, "time to reach")->check(CLI::Range(0.0, 1e3));
  option("--steps", p.steps, "of level 0 at most; 0: until the end")->check(CLI::Range(0, 1'000'000'000));
  option("--report", p.report, "a line every so many steps of level 0")->check(CLI::Range(1, 1'000'000'000));
  option("--buffer", p.buffer, "cells that are refined around a flagged one")->check(CLI::Range(0, 16));
  option("--least", p.least, "cells of a grid along an axis that clustering leaves where it cuts, even")
      ->check(CLI::Range(refinement, 4096));
  option("--greatest", p.greatest, "cells of a grid along an axis, at most, even")
      ->check(CLI::Range(4, 4096));
  option("--roots", p.roots,
         "grids of level 0, at least, if none has to be cut that is not longer than --least; by default PEs")
      ->check(CLI::Range(0, 1'000'000));
  option("--courant", p.courant, "time step, in what waves along all axes take through a cell")
      ->check(CLI::Range(0.01, 1.0));
  option("--steepness", said.steepness,
         "relative jump between cells from which they are refined; by default 0.1, with gravity none")
      ->check(CLI::Range(1e-6, 10.0));
  option("--overdensity", said.overdensity,
         "density of gas over its share from which cells are refined, times 8 a level; 0: none")
      ->check(CLI::Range(0.0, 1e6));
  option("--efficiency", p.efficiency, "share of a grid's cells that is flagged, at least")
      ->check(CLI::Range(0.01, 1.0));
  option("--heat-ratio", p.heat_ratio, "ratio of specific heats")->check(CLI::Range(1.01, 3.0));
  option("--mach", said.mach, "of the shock of shockpool3d; by default 3")->check(CLI::Range(1.01, 100.0));
  option("--tilt", said.tilt, "of its front, in degrees; by default 10")->check(CLI::Range(0.0, 45.0));
  option("--radius", said.radius, "of the explosion of sedov, of the sphere of collapse")
      ->check(CLI::Range(1e-4, 1.0));
  option("--gravity", said.gravity, "4 pi G; by default 1 in collapse, pancake, amr64 and amr128, else 0")
      ->check(CLI::Range(0.0, 1e6));
  option("--gas-share", said.gas_share, "share of gas in the mass; particles are the rest")
      ->check(CLI::Range(1e-9, 1.0));
  option("--memory", said.memory, "GiB that the cells of a level may take; by default those of the nodes")
      ->check(CLI::Range(1e-6, 1e9));
  option(
      "--write", line.write,
      "file for the cells at the end; a name with .png or .ppm: for a picture of the density in the middle");
  option("--write-particles", line.write_particles, "file for the particles at the end");
  option("--write-slices", line.write_slices,
         "file for the density and the grids in the middle of the domain, at each line of --report, for "
         "skein report");
}

const std::string& name_of(Problem problem) {
  return std::ranges::find(problems, problem, [](const auto& each) { return each.second; })->first;
}

[[noreturn]] void refuse(const char* option, const std::string& why) {
  throw CLI::ValidationError(option, why);
}

void complete(Parameters& p, const Said& said, int nodes) {
  const std::optional<Gravitation> pulled = gravitation(p.problem);
  if (p.problem == Problem::amr128) p.cells = {64, 64, 64};
  if (!said.cells.empty()) std::ranges::copy(said.cells, p.cells.begin());
  p.end = said.end.value_or(pulled ? pulled->end : p.problem == Problem::sedov ? 0.1 : 0.2);
  p.steepness = said.steepness.value_or(pulled ? std::numeric_limits<double>::max() : p.steepness);
  p.overdensity = said.overdensity.value_or(pulled ? pulled->overdensity : 0);
  p.levels = said.levels.value_or(p.refines() ? p.levels : 1);
  p.mach = said.mach.value_or(p.mach);
  p.tilt = said.tilt.value_or(p.tilt);
  p.radius = said.radius.value_or(p.problem == Problem::collapse ? 0.5 : p.radius);
  p.gravity = said.gravity.value_or(pulled ? 1 : 0);
  p.gas_share = said.gas_share.value_or(pulled ? pulled->gas_share : 1);
  p.memory = said.memory.value_or(memory_of_nodes(nodes));
}

void check_even(const char* name, std::int32_t value) {
  if (value % refinement != 0) refuse(name, std::to_string(value) + " is odd");
}

void check_sizes(const Parameters& p) {
  for (const std::int32_t along : p.cells) check_even("--cells", along);
  check_even("--least", p.least);
  check_even("--greatest", p.greatest);
  for (const std::int32_t along : p.cells)
    if (std::int64_t{along} << p.finest() > std::int64_t{1} << 22)
      refuse("--levels", "a finest level of more than 2^22 cells along an axis");
  if (const double needed = Parameters::memory_of(p.domain().cells()); needed > p.memory)
    refuse("--cells", "level 0 takes " + std::to_string(needed) + " GiB, and there are " +
                          std::to_string(p.memory) + ": fewer cells, or more nodes, or say --memory");
}

/// Checks that levels can follow moving matter, and that boxes can be cut.
void check_nesting(const Parameters& p) {
  if (p.levels == 1) return;
  if (!p.refines())
    refuse("--levels", std::to_string(p.levels) +
                           " levels, and nothing that is refined: say --steepness or --overdensity, or 1");
  if (const int least = 2 * p.least - refinement; p.greatest < least)
    refuse("--greatest", std::to_string(p.greatest) +
                             " cells: grids that are longer cannot be cut into two of --least " +
                             std::to_string(p.least) + "; at least " + std::to_string(least));
  // Level 1 grows after each step of level 0. One above level 1 stays within the one below, which grows after
  // every other of its steps.
  const double gone = p.courant * (p.levels > 2 ? refinement : 1);
  if (p.buffer < gone)
    refuse("--buffer", std::to_string(p.buffer) +
                           " cells: levels cannot stay nested around what moves, which goes up to " +
                           CLI::detail::to_string(gone) +
                           " of them (--courant) before the level below is adapted; at least " +
                           CLI::detail::to_string(std::ceil(gone)) + ", or a smaller --courant");
}

void check_problem(const Parameters& p, const Said& said) {
  const bool is_ball = p.problem == Problem::sedov || p.problem == Problem::collapse;
  const auto only_of = [&](const char* name, const std::optional<double>& value, bool has,
                           const std::string& whose) {
    if (!value || has) return;
    refuse(name, "the problem is " + name_of(p.problem) + ", and this is of " + whose);
  };
  only_of("--mach", said.mach, p.problem == Problem::shockpool3d, "shockpool3d");
  only_of("--tilt", said.tilt, p.problem == Problem::shockpool3d, "shockpool3d");
  only_of("--radius", said.radius, is_ball, "sedov and collapse");
  if (p.gravity > 0 && p.problem == Problem::shockpool3d)
    refuse("--gravity", "shockpool3d is open, and gravity needs walls around");
  if (is_ball && p.radius < 0.5 * p.spacing(p.finest()))
    refuse("--radius", std::to_string(p.radius) + " is less than half a cell of the finest level");
}

void check_writable(const char* name, const std::string& file) {
  if (file.empty()) return;
  if (!std::ofstream(file, std::ios::app)) refuse(name, file + " cannot be written: " + std::strerror(errno));
}

void check_output(const CommandLine& line) {
  const Parameters& p = line.parameters;
  const double width = std::ldexp(p.cells[0], p.finest()), height = std::ldexp(p.cells[1], p.finest());
  if (const double needed = width * height * sizeof(double) / 0x1p30;
      apps::is_picture(line.write) && needed > p.memory)
    refuse("--write", "a picture of " + CLI::detail::to_string(width) + " x " +
                          CLI::detail::to_string(height) +
                          " pixels does not fit the memory: cells of the finest of " +
                          std::to_string(p.levels) + " levels (--levels)");
  if (!line.write_slices.empty() &&
      (line.write_slices == line.write || line.write_slices == line.write_particles))
    refuse("--write-slices", "the file for cells or particles is the same");
  if (line.write_particles.empty()) return;
  if (!p.has_particles()) refuse("--write-particles", "there are none: --gas-share is 1");
  if (line.write == line.write_particles) refuse("--write-particles", "--write has the same file");
}

}  // namespace

std::optional<int> read(const std::vector<std::string>& words, int nodes, CommandLine& line) {
  CLI::App app("The Euler equations in three dimensions on levels of grids that follow the gas.", "samr");
  Said said;
  declare(app, line, said);
  return apps::read(app, words, [&] {
    complete(line.parameters, said, nodes);
    check_sizes(line.parameters);
    check_nesting(line.parameters);
    check_problem(line.parameters, said);
    check_output(line);
    check_writable("--write", line.write);
    check_writable("--write-particles", line.write_particles);
    check_writable("--write-slices", line.write_slices);
    line.problem = name_of(line.parameters.problem);
  });
}

}  // namespace samr
