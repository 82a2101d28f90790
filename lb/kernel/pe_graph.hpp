// SPDX-License-Identifier: Apache-2.0
// The neighbours of PEs in distributed strategies.
#pragma once
#include <algorithm>
#include <string_view>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// neighbours[p]: the neighbours of PE p, rising, without p itself. q is in p's list if p is in q's.
using PeGraph = std::vector<std::vector<PeIndex>>;

inline constexpr std::string_view kPeGraphShapes = "known|comm|ring|mesh|hypercube";

/// Returns true if the shape uses recorded messages.
inline bool looks_at_messages(std::string_view shape) { return shape == "comm" || shape == "known"; }

/// Returns the neighbours of one PE in a graph of `count` PEs without recorded messages. `shape` is not comm.
std::vector<PeIndex> shape_neighbours(std::string_view shape, PeIndex pe, PeIndex count);

/// Returns the graph of a shape. ring: the PEs before and after. mesh: 2-D, rows and columns as near to a
/// square as the number of PEs divides, without wrap-around. hypercube: existing PEs whose numbers differ in
/// one bit; connected for any number of PEs. comm: PEs whose objects exchange messages in the snapshot;
/// throws MissingData without a communication graph. known: as comm, with the hypercube's neighbours for PEs
/// whose objects send to no other PE (for all PEs without a graph), so that none is left out.
PeGraph make_pe_graph(std::string_view shape, const Snapshot& snapshot);

/// Returns the fraction of the difference of their finish times that flows, as load, over the link of two PEs
/// in a step of diffusion with gamma = 1. These weights of Metropolis chains converge on any graph.
inline double link_weight(double speed_of_p, double speed_of_q, std::size_t neighbours_of_p,
                          std::size_t neighbours_of_q) {
  return std::min(speed_of_p, speed_of_q) /
         (1 + static_cast<double>(std::max(neighbours_of_p, neighbours_of_q)));
}

/// Returns the load that flows from PE p to its neighbour q in one step of diffusion (negative: from q to p),
/// from their numbers of neighbours and their finish times.
inline double link_flow(const Pes& pes, PeIndex p, PeIndex q, std::size_t neighbours_of_p,
                        std::size_t neighbours_of_q, double finish_of_p, double finish_of_q) {
  return link_weight(pes.speed[p], pes.speed[q], neighbours_of_p, neighbours_of_q) *
         (finish_of_p - finish_of_q);
}

}  // namespace skein::lb
