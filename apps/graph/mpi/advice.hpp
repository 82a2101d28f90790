// SPDX-License-Identifier: Apache-2.0
// Asks the advisor of Skein (docs/advisor.md). Programs that are built without it have advice_absent.cpp.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "elements.hpp"

namespace graph {

class Adviser {
 public:
  /// Collective. Throws std::runtime_error if there is no advisor, or no such strategy. `horizon`: steps.
  Adviser(MPI_Comm comm, const std::string& strategy, double horizon, bool tells_edges);
  ~Adviser();

  /// Adds the time that this process has computed since the last call of advise().
  void add_work(double seconds);
  /// Returns the new owners of this process's elements, in their order, or nothing if they are to stay; in
  /// `told` the text to print. Collective, `steps` after the last call.
  std::vector<int> advise(const Elements& elements, int steps, std::string& told);
  /// Reports how long this process took to do what was advised. Collective.
  void moved(double seconds);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graph
