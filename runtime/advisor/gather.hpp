// SPDX-License-Identifier: Apache-2.0
// What all processes told, on every process, as a snapshot. Knows MPI by the program's communicator only.
#pragma once
#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "skein/advisor.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::advisor {

/// What one process gives.
struct Given {
  std::span<const AdvisorElement> elements;
  std::span<const AdvisorEdge> edges;
  std::span<const std::array<float, 3>> positions;
  double seconds = 0;       ///< that it worked since the last advice
  std::uint64_t steps = 1;  ///< of the program since then; edges tell of one
};

struct Gathered {
  lb::Snapshot snapshot;  ///< elements in order of process, loads in seconds
  std::unordered_map<std::uint64_t, lb::ObjectIndex> index_of;
  std::size_t first = 0;                   ///< of this process's elements
  std::vector<double> modelled, measured;  ///< of each process: sum of weights, seconds
};

/// Collective. Throws std::invalid_argument on all processes alike.
Gathered gather(MPI_Comm comm, const Given& given);

/// The largest of each value over all processes, in place. Collective.
void reduce_max(MPI_Comm comm, std::span<double> values);

}  // namespace skein::advisor
