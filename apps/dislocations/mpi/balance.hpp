// SPDX-License-Identifier: Apache-2.0
// Decides which process owns which places, by the measurements of its calipers.
#pragma once

#include <fstream>
#include <memory>
#include <string>

#include "options.hpp"
#include "process.hpp"
#include "sections.hpp"

namespace dislocations {

/// The work of one cell of a process.
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

  /// Adds the time that this process has worked since the last call of advise().
  void add_work(double seconds);
  /// Returns the new owners of `cells`, which this process owns, and in `told`, on process 0, the text to
  /// print. `steps` since the last call. Collective.
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
  /// Measures, and reassigns places to processes; `steps` since the last call. Collective.
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
  std::vector<std::int32_t> cell_owners_;  // if the advisor decides
  std::unique_ptr<Adviser> adviser_;
  std::ofstream loads_;  // on process 0
};

}  // namespace dislocations
