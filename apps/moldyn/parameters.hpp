// SPDX-License-Identifier: Apache-2.0
// Parameters of the simulation: those of the command line, and those that follow from them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grid.hpp"

namespace CLI {
class App;
}

namespace moldyn {

enum class Scenario : std::int32_t { liquid, droplet, condensation, wire };

/// A plain struct: each element has a copy.
struct Parameters {
  Scenario scenario = Scenario::droplet;
  std::uint32_t seed = 1;
  Grid grid;
  double density = 0;      ///< atoms per volume inside the droplet or cloud, or of the liquid or wire
  double outside = 0;      ///< atoms per volume outside
  double radius = 0;       ///< of the droplet, cloud or wire
  double temperature = 0;  ///< of the velocities at the start
  double drift = 0;        ///< velocity of the droplet along x, or of the pull at each end of the wire
  double cutoff = 0;
  double margin = 0;  ///< pairs are listed up to cutoff + margin
  double time_step = 0;
  std::int32_t steps = 0;
  std::int32_t settle = 0;  ///< steps between changes of cells
  std::int32_t sync = 0;    ///< changes of cells between sync points
  std::int32_t report = 0;  ///< steps between reports of energies

  double reach() const { return cutoff + margin; }
  bool settles_at(int step) const { return step % settle == 0; }
  bool synchronizes_at(int step) const { return step > 0 && step < steps && step % (settle * sync) == 0; }
  bool reports_at(int step) const { return step % report == 0 || step == steps; }
};

struct CommandLine {
  Parameters parameters;
  std::string write;  ///< file for the atoms at the end; empty: none
};

/// Adds the options. Call the returned function once they are parsed: it sets the members that follow from
/// them, and throws a CLI::ValidationError. `line` has to live until then.
std::function<void()> declare(CLI::App& app, CommandLine& line);

/// Reads the command line, like apps::read().
std::optional<int> read(const std::vector<std::string>& words, CommandLine& line);

}  // namespace moldyn
