// SPDX-License-Identifier: Apache-2.0
// The domain of one process, and what it says to others in a step.
#pragma once

#include <functional>

#include "apps/common/exchange.hpp"
#include "apps/dislocations/domain.hpp"

namespace dislocations {

/// What a process has done since it was asked last: processor time without waiting, and what the calipers
/// round the forces have of it.
struct Load {
  double work_s = 0;
  double forces_s = 0;
  double collisions_s = 0;        ///< what annihilates is looked for
  double remesh_s = 0;            ///< moving, creating and removing nodes
  std::uint64_t evaluations = 0;  ///< of stresses, by segments and by cells
};

struct CellLoad {
  double forces_s = 0;
  std::uint64_t evaluations = 0;
};

class Process {
 public:
  using OwnerOf = std::function<std::int32_t(const Vec3&)>;

  /// Collective.
  Process(MPI_Comm comm, const Parameters& parameters, OwnerOf owner_of);

  const std::map<NodeId, Node>& nodes() const { return domain_.nodes(); }
  /// Collective.
  void step(int step);
  /// From now on others own places. Collective.
  void reassign(OwnerOf owner_of);

  /// Of stresses, since the start.
  std::uint64_t evaluations() const { return evaluations_ + load_.evaluations; }
  Load take_load();
  /// Of each cell, what the calipers measured here.
  std::map<std::int32_t, CellLoad> take_cell_loads();

 private:
  Surroundings exchange_segments();
  std::vector<Multipole> multipoles();
  void deliver(const Outbox<Notice>& notices);
  void settle();

  MPI_Comm comm_;
  int rank_ = 0, processes_ = 1;
  Parameters parameters_;
  OwnerOf owner_of_;
  Domain domain_;
  Load load_;
  std::uint64_t evaluations_ = 0;  // until the load was taken
  std::map<std::int32_t, CellLoad> cell_loads_;
};

}  // namespace dislocations
