// SPDX-License-Identifier: Apache-2.0
// Parameters of the simulation: the part of the command line that the MPI program and the native one share.
// Lengths are in Burgers vectors b, stresses in shear moduli mu, times in drag coefficient / mu.
#pragma once

#include <cstdint>
#include <string>

#include "box.hpp"
#include "elasticity.hpp"

namespace CLI {
class App;
}

namespace dislocations {

enum class Scenario : std::int32_t { sources, frank_read };

/// A plain struct: each element has a copy.
struct Parameters {
  Scenario scenario = Scenario::sources;
  std::uint32_t seed = 1;
  std::int32_t sources = 100;  ///< number of sources
  double length = 300;         ///< of a source
  double character = 90;       ///< of the frank-read source, in degrees from the Burgers vector
  double shear = 0;            ///< applied, resolved on the frank-read system
  double tension = 0.03;       ///< applied, along z
  Box box{4000, 5, 1};
  Material material;
  double mobility = 1;  ///< velocity per force per length
  double time_step = 40;
  double longest = 60;   ///< longer segments are cut
  double shortest = 20;  ///< a node of a shorter segment is removed
  double reach = 6;      ///< closer than this, opposite segments of a system annihilate
  double stride = 3;     ///< the longest move of a node in a step
  std::int32_t steps = 100;
  std::int32_t report = 10;  ///< steps between reports

  bool reports_at(int step) const { return step % report == 0 || step == steps; }
  Stress applied() const;
};

struct CommandLine {
  Parameters parameters;
  std::string write;  ///< file for the segments at the end; empty: none
};

/// Adds the options; `line` has to live until they are parsed.
void declare(CLI::App& app, CommandLine& line);
/// Checks parsed options: throws CLI::ValidationError if two do not go together.
void check(const Parameters& parameters);

}  // namespace dislocations
