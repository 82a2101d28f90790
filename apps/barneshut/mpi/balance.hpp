// SPDX-License-Identifier: Apache-2.0
// Decides which process gets which piece, when the program moves its own work.
#pragma once

#include <memory>
#include <string>

#include "domain.hpp"
#include "partition.hpp"

namespace barneshut {

/// Asks the advisor of Skein (docs/advisor.md). Programs that are built without it have advisor_absent.cpp.
class Adviser {
 public:
  /// Collective. Throws std::runtime_error if there is no advisor, or no such strategy.
  Adviser(MPI_Comm comm, const Asking& asking);
  ~Adviser();

  /// Adds the time that this process has computed since the last call of advise().
  void add_work(double seconds);
  /// Returns the new owners of all pieces, `steps` after the last call, and in `told`, on process 0, the text
  /// to print. Collective.
  std::vector<int> advise(const Domain& domain, int steps, std::string& told);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class Balancer {
 public:
  /// Collective. `asking`: options of the advisor.
  Balancer(MPI_Comm comm, Partition partition, const Asking& asking);

  /// Adds the processor time of a step. Call it after each step. Local.
  void add_work(double seconds);
  /// Cuts the pieces anew and gives them to processes; `steps` since the last call. Prints its report on
  /// process 0. Collective.
  void balance(Domain& domain, int steps);

 private:
  MPI_Comm comm_;
  Partition partition_;
  std::unique_ptr<Adviser> adviser_;  // if the partition is the advisor's
};

}  // namespace barneshut
