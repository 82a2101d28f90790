// SPDX-License-Identifier: Apache-2.0
// What is simulated: what the command line says, and what follows from it.
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
  double density = 0;      ///< atoms per volume inside the droplet or cloud; of the liquid or wire
  double outside = 0;      ///< and outside
  double radius = 0;       ///< of the droplet, cloud or wire
  double temperature = 0;  ///< of the velocities at the start
  double drift = 0;        ///< velocity of the droplet along x; at which each end of the wire is pulled
  double cutoff = 0;
  double margin = 0;  ///< pairs are listed up to cutoff + margin
  double time_step = 0;
  std::int32_t steps = 0;
  std::int32_t settle = 0;  ///< atoms change cells every so many steps
  std::int32_t sync = 0;    ///< sync point every so many times that atoms change cells
  std::int32_t report = 0;  ///< energies every so many steps

  double reach() const { return cutoff + margin; }
  bool settles_at(int step) const { return step % settle == 0; }
  bool synchronizes_at(int step) const { return step > 0 && step < steps && step % (settle * sync) == 0; }
  bool reports_at(int step) const { return step % report == 0 || step == steps; }
};

struct CommandLine {
  Parameters parameters;
  std::string write;  ///< file for the atoms at the end; empty: none
};

/// Adds the options. Once they are parsed, what it returns sets what follows from them, and throws a
/// CLI::ValidationError. `line` has to live until then.
std::function<void()> declare(CLI::App& app, CommandLine& line);

/// See apps::read().
std::optional<int> read(const std::vector<std::string>& words, CommandLine& line);

}  // namespace moldyn
