// SPDX-License-Identifier: Apache-2.0
// Parameters of the simulation: the part of the command line that the MPI program and the native one share.
#pragma once

#include <cstdint>
#include <string>

#include "piece.hpp"

namespace CLI {
class App;
}

namespace barneshut {

enum class Scenario : std::int32_t { plummer, collision };

/// A plain struct: each element has a copy.
struct Parameters {
  Scenario scenario = Scenario::plummer;
  std::uint32_t seed = 1;
  std::int32_t bodies = 10'000;
  double distance = 6;      ///< of the clusters at the start
  double ratio = 3;         ///< of their masses
  double pericentre = 0.5;  ///< of the parabola that their centres would follow as two masses
  Gravity gravity{0.7, 0.025, true};
  TreeRules rules;
  double time_step = 0.01;
  std::int32_t steps = 100;
  std::int32_t report = 10;   ///< steps between reports of energies
  std::int32_t pieces = 200;  ///< a piece with more than one part in so many of the work is cut

  bool reports_at(int step) const { return step % report == 0 || step == steps; }
};

struct CommandLine {
  Parameters parameters;
  std::string write;  ///< file for the bodies at the end; empty: none
};

/// Adds the options; `line` has to live until they are parsed.
void declare(CLI::App& app, CommandLine& line);

}  // namespace barneshut
