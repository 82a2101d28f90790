// SPDX-License-Identifier: Apache-2.0
// The domain of one process, and its messages to others in a step.
#pragma once

#include <functional>

#include "apps/common/exchange.hpp"
#include "apps/dislocations/domain.hpp"

namespace dislocations {

/// The work of a process since the last call of take_load(): processor time without waiting, and the
/// calipers' measurements of the forces.
struct Load {
  double work_s = 0;
  double forces_s = 0;
  double collisions_s = 0;        ///< search for segments that annihilate
  double remesh_s = 0;            ///< moving, creating and removing nodes
  std::uint64_t evaluations = 0;  ///< computed stresses, by segments and by cells
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
  /// Makes a time step. Collective.
  void step(int step);
  /// Changes the owners of places. Collective.
  void reassign(OwnerOf owner_of);

  /// Returns the number of stresses computed since the start.
  std::uint64_t evaluations() const { return evaluations_ + load_.evaluations; }
  Load take_load();
  /// Returns the calipers' measurements of each cell here.
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
