// SPDX-License-Identifier: Apache-2.0
// How the program finds out who is to own which places, by what its calipers measure.
#pragma once

#include <fstream>
#include <memory>
#include <string>

#include "options.hpp"
#include "process.hpp"
#include "sections.hpp"

namespace dislocations {

/// What a process tells of one of its cells.
struct CellWork {
  std::int32_t cell = 0;
  double weight = 0;  ///< by the calipers
  std::size_t segments = 0;
};

/// Asks the advisor of Skein (docs/advisor.md). Programs that are built without it have advisor_absent.cpp.
class Adviser {
 public:
  /// `horizon`: see MpiCommandLine. Collective. Throws std::runtime_error if there is no advisor.
  Adviser(MPI_Comm comm, const Box& box, int horizon);
  ~Adviser();

  /// What this process has worked, in all, in so many steps.
  void add_work(double seconds);
  /// Collective. `cells`: those of this process, which is the owner of them. Returns the new owners of these;
  /// in `told`, on process 0, is what is to be told of it.
  std::vector<std::int32_t> advise(const std::vector<CellWork>& cells, int steps, std::string& told);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class Balancer {
 public:
  /// Collective. Throws std::runtime_error on all processes: --dims that do not fit, no advisor, a file that
  /// cannot be written.
  Balancer(MPI_Comm comm, const MpiCommandLine& line);

  Process::OwnerOf owner_of() const;
  /// Measures, and lets the process have other places; `steps` since the last call. Collective.
  void balance(Process& process, int step, int steps);

 private:
  void ask_adviser(const Process& process, const std::map<std::int32_t, CellLoad>& loads, int steps);
  double weight(std::uint64_t evaluations, double forces_s) const;

  MPI_Comm comm_;
  int rank_ = 0, processes_ = 1;
  Box box_;
  Partition partition_;
  Calipers calipers_;
  Sections sections_;
  std::vector<std::int32_t> cell_owners_;  // where the advisor decides
  std::unique_ptr<Adviser> adviser_;
  std::ofstream loads_;  // on process 0
};

}  // namespace dislocations
