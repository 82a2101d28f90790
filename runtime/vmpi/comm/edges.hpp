// SPDX-License-Identifier: Apache-2.0
// Edges of a distributed graph, which any rank may name, brought to the ranks that they join
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

/// The ranks that edges of one rank come from and lead to. Parallel edges stand in the same order at both of
/// their ends: by the rank that named them, then as that one did.
struct OwnEdges {
  std::vector<int> sources, source_weights;
  std::vector<int> destinations, destination_weights;
};

/// `named`: by the calling rank. Collective over an intracommunicator, from the main fibers of its members.
/// May switch.
OwnEdges own_edges(Comm& comm, std::span<const Edge> named);

}  // namespace skein::vmpi
