// SPDX-License-Identifier: Apache-2.0
// When the program moves its own work: how it finds out what goes where.
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

  /// What this process has computed since the last call of advise().
  void add_work(double seconds);
  /// Collective, `steps` after the last call: the new owners of all pieces, and in `told`, on process 0, what
  /// is to be told of it.
  std::vector<int> advise(const Domain& domain, int steps, std::string& told);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class Balancer {
 public:
  /// Collective. `asking`: of the advisor.
  Balancer(MPI_Comm comm, Partition partition, const Asking& asking);

  /// After each step: the processor time of it. Local.
  void add_work(double seconds);
  /// Cuts the pieces anew and gives them to processes; `steps` since the last call. What it has to tell it
  /// prints on process 0. Collective.
  void balance(Domain& domain, int steps);

 private:
  MPI_Comm comm_;
  Partition partition_;
  std::unique_ptr<Adviser> adviser_;  // where the partition is the advisor's
};

}  // namespace barneshut
