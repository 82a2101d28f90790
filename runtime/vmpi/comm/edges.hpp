// SPDX-License-Identifier: Apache-2.0
// Brings the edges of a distributed graph, which any rank may name, to the ranks that they join
// (MPI_Dist_graph_create).
#pragma once

#include <span>
#include <vector>

namespace skein::vmpi {

struct Comm;

struct Edge {
  int source, destination;  ///< ranks of the communicator
  int weight;
};

/// The ranks that edges of one rank come from and lead to. Parallel edges have the same order at both of
/// their ends: by the rank that named them, then as this rank named them.
struct OwnEdges {
  std::vector<int> sources, source_weights;
  std::vector<int> destinations, destination_weights;
};

/// Returns the edges of the calling rank. `named`: the edges that it names. Collective over an
/// intracommunicator, from the main fibers of its members. May switch.
OwnEdges own_edges(Comm& comm, std::span<const Edge> named);

}  // namespace skein::vmpi
