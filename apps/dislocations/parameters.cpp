// SPDX-License-Identifier: Apache-2.0
#include "parameters.hpp"

#include <map>
#include <string>

#include "apps/common/command_line.hpp"
#include "slip_system.hpp"

namespace dislocations {
namespace {

const std::map<std::string, Scenario> scenarios{{"sources", Scenario::sources},
                                                {"frank-read", Scenario::frank_read}};
const std::map<std::string, std::int32_t> borders{{"free", 0}, {"periodic", 1}};

}  // namespace

Stress Parameters::applied() const {
  const SlipSystem& slip = slip_system(0);
  Stress stress = 2 * shear * symmetric_product(slip.burgers, slip.normal);
  stress.zz += tension;
  return stress;
}

void declare(CLI::App& app, CommandLine& line) {
  Parameters& p = line.parameters;
  const auto option = [&](const char* name, auto& value, const char* help) {
    return apps::option(app, name, value, help);
  };
  const CLI::Range positive(1e-6, 1e9), any(-1e3, 1e3), steps(1, 1'000'000'000);
  option("--scenario", p.scenario, "sources: many Frank-Read sources; frank-read: one")
      ->default_str("sources")
      ->transform(CLI::CheckedTransformer(scenarios).description("sources|frank-read"));
  option("--sources", p.sources, "how many")->check(CLI::Range(1, 60'000));
  option("--length", p.length, "of a source; of many, their mean")->check(positive);
  option("--character", p.character, "of the source of frank-read: degrees from the Burgers vector")
      ->check(CLI::Range(0.0, 360.0));
  option("--shear", p.shear, "stress applied, resolved on the system of frank-read")->check(any);
  option("--tension", p.tension, "stress applied along z")->check(any);
  option("--side", p.box.side, "of the box")->check(positive);
  option("--cells", p.box.cells, "along each side: what is in a cell or beside it is near, all else is far")
      ->check(CLI::Range(1, 64));
  option("--borders", p.box.periodic, "of the box")
      ->default_str("periodic")
      ->transform(CLI::CheckedTransformer(borders).description("free|periodic"));
  option("--poisson", p.material.poisson, "number of the material")->check(CLI::Range(-0.99, 0.49));
  option("--core", p.material.core, "radius over which a Burgers vector is spread")->check(positive);
  option("--mobility", p.mobility, "velocity per force per length")->check(positive);
  option("--time-step", p.time_step, "of Euler's method")->check(positive);
  option("--longest", p.longest, "a longer segment is cut")->check(positive);
  option("--shortest", p.shortest, "at a shorter segment a node is removed")->check(positive);
  option("--reach", p.reach, "closer than this, opposite segments of a system annihilate")->check(positive);
  option("--stride", p.stride, "a node moves no farther in a step")->check(positive);
  option("--steps", p.steps, "time steps")->check(CLI::Range(0, 1'000'000'000));
  option("--report", p.report, "every so many steps")->check(steps);
  option("--seed", p.seed, "of the places of sources");
  option("--write", line.write, "file for the segments at the end");
}

void check(const Parameters& p) {
  const auto refuse = [](const std::string& option, const std::string& why) {
    throw CLI::ValidationError(option, why);
  };
  if (p.box.periodic && p.box.cells < 3)
    refuse("--cells", "has to be 3 or more where the box is periodic: " + std::to_string(p.box.cells));
  if (3 * p.shortest > p.longest)
    refuse("--shortest", std::to_string(p.shortest) + " is more than a third of --longest, " +
                             std::to_string(p.longest) + ": nodes would come and go");
  // The distance from a segment to candidates for annihilation with its partner; between two chances to cut a
  // segment its ends move two strides each.
  const double needed = 4 * (p.longest + 4 * p.stride) + 2 * p.reach;
  if (p.box.cells > 1 && p.box.cell_side() < needed)
    refuse("--cells", "make cells of " + std::to_string(p.box.cell_side()) + ", which have to be " +
                          std::to_string(needed) +
                          " with these --longest, --stride and --reach: fewer cells or a larger --side");
}

}  // namespace dislocations
