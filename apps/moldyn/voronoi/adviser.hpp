// SPDX-License-Identifier: Apache-2.0
// Asks the advisor of Skein (docs/advisor.md), and the model behind it. Programs that are built without it
// have adviser_absent.cpp.
#pragma once

#include <mpi.h>

#include <memory>
#include <span>
#include <string>

#include "domain.hpp"
#include "options.hpp"

namespace moldyn {

class Adviser {
 public:
  /// Collective. Throws std::runtime_error if there is no advisor.
  explicit Adviser(MPI_Comm comm);
  ~Adviser();

  /// Returns, on process 0, lines of text with the advisor's judgement of each abstraction, given as weights
  /// of its sample, against the work of this process in so many steps: how well it gives the imbalance,
  /// kurtosis and order of processes. Collective.
  std::string judged(const Domain& domain, const Spent& spent, std::span<const SampledAtom> sample,
                     int steps);

  /// Returns the method that promises the least time for the rest of the run, of so many intervals like the
  /// last one: Equations 5 to 11 of Pearce et al., ICS 2012, by the loads that `line.by` chooses. `text`: on
  /// process 0 the expected times. Collective.
  Balance chosen(const VoronoiCommandLine& line, const Domain& domain, const Spent& spent, int intervals,
                 std::string& text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace moldyn
