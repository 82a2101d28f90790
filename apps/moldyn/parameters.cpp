// SPDX-License-Identifier: Apache-2.0
#include "parameters.hpp"

#include <map>
#include <memory>

#include "apps/common/command_line.hpp"

namespace moldyn {
namespace {

const std::map<std::string, Scenario> scenarios{{"liquid", Scenario::liquid},
                                                {"droplet", Scenario::droplet},
                                                {"condensation", Scenario::condensation},
                                                {"wire", Scenario::wire}};

struct Defaults {
  Vec3 box;
  double density, outside, radius, temperature, drift, cutoff;
};

/// The defaults of a scenario. Inside a liquid a cutoff of 2.5 is usual. Structures at a surface depend on it
/// far beyond: Mecke, Winkelmann and Fischer (J. Chem. Phys. 107, 9264, 1997) want at least 5 for its
/// tension.
Defaults defaults_of(Scenario scenario) {
  switch (scenario) {
    case Scenario::liquid:
      return {{20, 20, 20}, 0.8442, 0, 0, 1.44, 0, 2.5};
    case Scenario::droplet:
      return {{70, 35, 35}, 0.8, 0.004, 14, 0.9, 0.5, 4.5};
    case Scenario::wire:
      return {{148, 37, 37}, 1.12, 0, 8, 0.05, 0.2, 2.5};
    case Scenario::condensation:
      break;
  }
  return {{96, 48, 48}, 0.25, 0.004, 22, 0.5, 0, 4.5};
}

[[noreturn]] void refuse(const std::string& option, const std::string& because) {
  throw CLI::ValidationError(option, because);
}

/// Returns as many cells as fit, none with a side below `side`.
skein::Index3 division(const Vec3& box, double side) {
  skein::Index3 cells;
  for (int axis = 0; axis < 3; ++axis) {
    const double fit = std::floor(box[axis] / side);
    if (fit < 3)
      refuse("--box", "a side of " + std::to_string(box[axis]) + " has no room for 3 cells of " +
                          std::to_string(side) + ", the cutoff and the margin or --cell");
    if (fit > 4096) refuse("--box", "a side of " + std::to_string(box[axis]) + " has more than 4096 cells");
    cells[axis] = static_cast<int>(fit);
  }
  return cells;
}

/// The values of the command line, before the scenario's defaults.
struct Given {
  std::vector<double> box;
  std::optional<double> density, outside, radius, temperature, drift, cutoff, cell;
};

void declare(CLI::App& app, CommandLine& line, Given& given) {
  Parameters& p = line.parameters;
  p.margin = 0.5, p.time_step = 0.004;
  p.steps = 1000, p.settle = 10, p.sync = 2, p.report = 100;
  const auto option = [&](const char* name, auto& value, const char* help) {
    return apps::option(app, name, value, help);
  };
  const CLI::Range count(1, 1'000'000'000), fill(0.0, 1.2);
  option("--scenario", p.scenario,
         "what the box holds at the start, and the defaults of the next seven: see README.md")
      ->default_str("droplet")
      ->transform(CLI::CheckedTransformer(scenarios).description("liquid|droplet|condensation|wire"));
  option("--box", given.box, "its three sides")->delimiter(',')->expected(3)->check(CLI::Range(1.0, 1e5));
  option("--density", given.density, "atoms per volume of the liquid, droplet, cloud or wire")->check(fill);
  option("--outside", given.outside, "atoms per volume outside of it")->check(fill);
  option("--radius", given.radius, "of the droplet, cloud or wire")->check(CLI::Range(0.0, 1e5));
  option("--temperature", given.temperature, "of the velocities at the start")->check(CLI::Range(0.0, 100.0));
  option("--drift", given.drift, "velocity of the droplet or cloud along x, or at which the wire's ends part")
      ->check(CLI::Range(-10.0, 10.0));
  option("--cutoff", given.cutoff, "of the potential")->check(CLI::Range(1.0, 100.0));
  option("--margin", p.margin, "pairs are listed up to cutoff + margin")->check(CLI::Range(0.01, 100.0));
  option("--cell", given.cell, "least side of a cell (default: 1.35 times cutoff + margin)")
      ->check(CLI::Range(1.0, 1e5));
  option("--time-step", p.time_step, "of the velocity Verlet method")->check(CLI::Range(1e-6, 0.1));
  option("--steps", p.steps, "time steps")->check(CLI::Range(0, 1'000'000'000));
  option("--settle", p.settle, "atoms change cells every so many steps")->check(CLI::Range(1, 1000));
  option("--sync", p.sync, "sync point every so many times that atoms change cells")
      ->check(CLI::Range(1, 100'000));
  option("--report", p.report, "energies every so many steps")->check(count);
  option("--seed", p.seed, "of the velocities and of what is left out of the lattice");
  option("--write", line.write, "file for atoms, velocities and forces at the end (extended XYZ)");
}

void complete(Parameters& p, const Given& given) {
  const Defaults defaults = defaults_of(p.scenario);
  p.grid.box = given.box.empty() ? defaults.box : Vec3{given.box[0], given.box[1], given.box[2]};
  p.density = given.density.value_or(defaults.density);
  p.outside = given.outside.value_or(defaults.outside);
  p.radius = given.radius.value_or(defaults.radius);
  p.temperature = given.temperature.value_or(defaults.temperature);
  p.drift = given.drift.value_or(defaults.drift);
  p.cutoff = given.cutoff.value_or(defaults.cutoff);
  const double side = given.cell.value_or(1.35 * p.reach());
  if (side < p.reach()) refuse("--cell", std::to_string(side) + " is less than the cutoff and the margin");
  p.grid.cells = division(p.grid.box, side);
}

}  // namespace

std::function<void()> declare(CLI::App& app, CommandLine& line) {
  const auto given = std::make_shared<Given>();
  declare(app, line, *given);
  return [&line, given] { complete(line.parameters, *given); };
}

std::optional<int> read(const std::vector<std::string>& words, CommandLine& line) {
  CLI::App app("Molecular dynamics of Lennard-Jones atoms in a periodic box, in reduced units.", "moldyn");
  return apps::read(app, words, declare(app, line));
}

}  // namespace moldyn
