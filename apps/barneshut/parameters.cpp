// SPDX-License-Identifier: Apache-2.0
#include "parameters.hpp"

#include <cmath>
#include <map>

#include "apps/common/command_line.hpp"

namespace barneshut {
namespace {

const std::map<std::string, Scenario> scenarios{{"plummer", Scenario::plummer},
                                                {"collision", Scenario::collision}};
const std::map<std::string, bool> multipoles{{"monopole", false}, {"quadrupole", true}};

/// Checks that the root's half side is a power of two.
std::string is_power_of_two(const std::string& text) {
  double value = 0;
  int exponent = 0;
  if (CLI::detail::lexical_cast(text, value) && value > 0 && std::frexp(value, &exponent) == 0.5) return {};
  return "is no power of two: " + text;
}

}  // namespace

void declare(CLI::App& app, CommandLine& line) {
  Parameters& p = line.parameters;
  const auto option = [&](const char* name, auto& value, const char* help) {
    return apps::option(app, name, value, help);
  };
  option("--scenario", p.scenario, "plummer: a sphere in equilibrium; collision: two that meet")
      ->default_str("plummer")
      ->transform(CLI::CheckedTransformer(scenarios).description("plummer|collision"));
  option("--bodies", p.bodies, "how many, in all")->check(CLI::Range(2, 100'000'000));
  option("--distance", p.distance, "of the two clusters at the start")->check(CLI::Range(0.1, 1000.0));
  option("--ratio", p.ratio, "of their masses, which is that of their numbers of bodies")
      ->check(CLI::Range(0.001, 1000.0));
  option("--pericentre", p.pericentre, "least distance of their parabolic orbit, as two masses")
      ->check(CLI::Range(0.0, 1000.0));
  option("--theta", p.gravity.theta,
         "opening angle: a cell counts as a whole where its side is below theta times its distance")
      ->check(CLI::Range(0.0, 1.5));
  option("--softening", p.gravity.softening, "length")->check(CLI::Range(0.0, 10.0));
  option("--multipole", p.gravity.quadrupole, "what counts of a cell")
      ->default_str("quadrupole")
      ->transform(CLI::CheckedTransformer(multipoles).description("monopole|quadrupole"));
  option("--leaf", p.rules.leaf, "bodies in a leaf of the tree at most")->check(CLI::Range(1, 1000));
  option(
      "--root", p.rules.root.half_side,
      "half the side of the root cell, which bodies may not leave; 0: four times as far as they are at first")
      ->check(CLI::Validator(is_power_of_two, "POWER OF 2") | CLI::IsMember({0.0}));
  option("--time-step", p.time_step, "of the leapfrog method")->check(CLI::Range(1e-6, 1.0));
  option("--steps", p.steps, "time steps")->check(CLI::Range(0, 1'000'000'000));
  option("--report", p.report, "energies every so many steps")->check(CLI::Range(1, 1'000'000'000));
  option("--pieces", p.pieces, "a piece with more than one part in so many of the work is cut into eight")
      ->check(CLI::Range(1, 1'000'000));
  option("--seed", p.seed, "of places and velocities");
  option("--write", line.write, "file for the bodies at the end (extended XYZ)");
}

}  // namespace barneshut
