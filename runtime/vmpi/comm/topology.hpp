// SPDX-License-Identifier: Apache-2.0
// Virtual topologies (MPI 4.1, chapter 8): Cartesian, graph and distributed graph. They are in the slots of
// the communicator's members. Nothing here communicates.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "runtime/vmpi/comm/comm.hpp"

namespace skein::vmpi {

enum class TopologyKind : std::uint8_t { cartesian, graph, distributed_graph };

struct Topology {
  Topology(TopologyKind what, std::pmr::memory_resource* memory)
      : kind(what),
        dims(memory),
        periods(memory),
        coords(memory),
        index(memory),
        edges(memory),
        sources(memory),
        destinations(memory),
        source_weights(memory),
        destination_weights(memory) {}

  TopologyKind kind;

  /// Cartesian: ranks are in row-major order, the last dimension fastest.
  std::pmr::vector<int> dims;
  std::pmr::vector<int> periods;
  std::pmr::vector<int> coords;  ///< of this rank

  /// Graph: the arrays of MPI_Graph_create, for all members. The neighbours of rank r are
  /// edges[index[r - 1]] to edges[index[r] - 1], with 0 before index[0].
  std::pmr::vector<int> index;
  std::pmr::vector<int> edges;

  /// Ranks from which this rank receives and to which it sends in neighbourhood collectives, in the order of
  /// their buffers: ranks of the communicator, or MPI_PROC_NULL beyond the edge of a grid. For all kinds.
  std::pmr::vector<int> sources;
  std::pmr::vector<int> destinations;

  /// Distributed graph: weights by source and by destination, if it is weighted.
  bool weighted = false;
  std::pmr::vector<int> source_weights;
  std::pmr::vector<int> destination_weights;

  RecordedId recorded;  ///< of the messages of neighbourhood collectives (record/collectives.hpp)

  int ndims() const { return static_cast<int>(dims.size()); }
  /// Returns MPI_PROC_NULL if a coordinate is outside a dimension that is not periodic.
  int rank_of(std::span<const int> position) const;
  void position_of(int rank, std::span<int> position) const;
  /// Returns the neighbours of a rank in a graph. Precondition: a rank of the graph.
  std::span<const int> neighbours_of(int rank) const;
};

/// Makes a Cartesian topology with the coordinates of `rank`.
Topology* make_topology(RankState& state, std::span<const int> dims, std::span<const int> periods, int rank);
/// Makes a graph. Precondition: fault_of_graph() finds none.
Topology* make_graph(RankState& state, std::span<const int> index, std::span<const int> edges, int rank);
/// One rank's part of a distributed graph. The weights are read only if `weighted`.
struct Neighbourhood {
  std::span<const int> sources, destinations, source_weights, destination_weights;
  bool weighted = false;
};
Topology* make_distributed_graph(RankState& state, const Neighbourhood& neighbourhood);
Topology* copy_topology(RankState& state, const Topology* topology);  ///< null for null
void release_topology(RankState& state, Topology* topology);          ///< null is allowed

/// Returns the fault in the arrays of MPI_Graph_create, or null. `index` has an entry for each node; `edges`
/// has as many entries as the last of these says.
const char* fault_of_graph(std::span<const int> index, const int* edges);

/// Factors `nodes` over the dimensions that are 0, as near to each other as possible, in descending order
/// (MPI_Dims_create). Returns false if the given dimensions do not divide it.
bool balance_dims(int nodes, std::span<int> dims);

}  // namespace skein::vmpi
