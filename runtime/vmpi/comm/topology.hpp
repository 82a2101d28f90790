// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory_resource>
#include <span>
#include <vector>

#include "runtime/vmpi/api.hpp"

namespace skein::vmpi {

struct RankState;

/// A Cartesian topology: ranks in row-major order, the last dimension fastest (MPI 4.1, 8.5).
struct Topology {
  explicit Topology(std::pmr::memory_resource* memory) : dims(memory), periods(memory), coords(memory) {}
  std::pmr::vector<int> dims;
  std::pmr::vector<int> periods;
  std::pmr::vector<int> coords;  ///< this rank's own

  int ndims() const { return static_cast<int>(dims.size()); }
  /// MPI_PROC_NULL when a coordinate is outside a dimension that is not periodic.
  int rank_of(std::span<const int> position) const;
  void position_of(int rank, std::span<int> position) const;
};

Topology* make_topology(RankState& state, std::span<const int> dims, std::span<const int> periods, int rank);
void release_topology(RankState& state, Topology* topology);  ///< null is allowed

/// Factors `nodes` over the dimensions that are 0, as near to each other as can be, in descending order
/// (MPI_Dims_create). False when the given ones do not divide it.
bool balance_dims(int nodes, std::span<int> dims);

}  // namespace skein::vmpi
