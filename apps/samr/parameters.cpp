// SPDX-License-Identifier: Apache-2.0
#include "parameters.hpp"

#include <map>

#include "apps/common/command_line.hpp"

namespace samr {
namespace {

const std::map<std::string, Scenario> scenarios{
    {"sod", Scenario::sod}, {"bubble", Scenario::bubble}, {"blobs", Scenario::blobs}};

struct Defaults {
  std::vector<int> roots;
  double end;
};

Defaults defaults_of(Scenario scenario) {
  switch (scenario) {
    case Scenario::sod:
      return {{8, 1}, 1.6};  // the tube is 8 long: time 0.2 of one that is 1 long
    case Scenario::bubble:
      return {{12, 6}, 0.6};
    case Scenario::blobs:
      break;
  }
  return {{12, 6}, 0.25};
}

struct Given {
  std::vector<int> roots;
  std::optional<double> end;
};

void declare(CLI::App& app, CommandLine& line, Given& given) {
  Parameters& p = line.parameters;
  const auto option = [&](const char* name, auto& value, const char* help) {
    return apps::option(app, name, value, help);
  };
  const CLI::Range count(1, 1'000'000'000);
  option("--scenario", p.scenario, "what is in the domain at the start: see README.md")
      ->default_str("bubble")
      ->transform(CLI::CheckedTransformer(scenarios).description("sod|bubble|blobs"));
  option("--roots", given.roots, "blocks of level 0 along x and y; the domain is 1 high")
      ->delimiter(',')
      ->expected(2)
      ->check(CLI::Range(1, 1000));
  option("--cells", p.cells, "cells of a block along each axis, even")->check(CLI::Range(4, 256));
  option("--levels", p.levels, "of refinement; 1: none")->check(CLI::Range(1, 12));
  option("--end", given.end, "time to reach")->check(CLI::Range(0.0, 1e3));
  option("--steps", p.steps, "time steps at most; 0: until the end")->check(CLI::Range(0, 1'000'000'000));
  option("--adapt", p.adapt, "the mesh adapts every so many steps")->check(CLI::Range(1, 1000));
  option("--sync", p.sync, "sync point every so many times that the mesh adapts")
      ->check(CLI::Range(1, 100'000));
  option("--report", p.report, "a line every so many steps")->check(count);
  option("--steepness", p.steepness, "relative jump between cells from which a block is refined")
      ->check(CLI::Range(1e-6, 10.0));
  option("--courant", p.courant, "time step, in what a wave takes through a cell")
      ->check(CLI::Range(0.01, 0.95));
  option("--blobs", p.blobs, "of that scenario")->check(CLI::Range(1, 10'000));
  option("--seed", p.seed, "of the blobs");
  option("--write", line.write,
         "file for the cells at the end; a name with .png or .ppm: for a picture of their density");
}

void complete(Parameters& p, const Given& given) {
  const Defaults defaults = defaults_of(p.scenario);
  const std::vector<int>& roots = given.roots.empty() ? defaults.roots : given.roots;
  p.roots_x = roots[0], p.roots_y = roots[1];
  p.end = given.end.value_or(defaults.end);
  if (p.cells % 2 != 0) throw CLI::ValidationError("--cells", std::to_string(p.cells) + " is odd");
  // In so many steps a wave must not leave the blocks refined around it.
  if (p.adapt * p.courant > p.cells)
    throw CLI::ValidationError("--adapt",
                               std::to_string(p.adapt) + " steps carry a wave through more than a block");
}

}  // namespace

std::optional<int> read(const std::vector<std::string>& words, CommandLine& line) {
  CLI::App app("The Euler equations in two dimensions on blocks that are refined where the gas changes.",
               "samr");
  Given given;
  declare(app, line, given);
  return apps::read(app, words, [&] { complete(line.parameters, given); });
}

}  // namespace samr
