// SPDX-License-Identifier: Apache-2.0
// Which PEs count as neighbours in distributed strategies.
#pragma once
#include <algorithm>
#include <string_view>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// neighbours[p]: the neighbours of PE p, rising, without p itself; q stands in p's list if and only if p
/// stands in q's.
using PeGraph = std::vector<std::vector<PeIndex>>;

inline constexpr std::string_view kPeGraphShapes = "known|comm|ring|mesh|hypercube";

/// Whether the shape needs to know whom objects send to, where that was recorded.
inline bool looks_at_messages(std::string_view shape) { return shape == "comm" || shape == "known"; }

/// The neighbours of one PE in a graph of `count` PEs; any shape but comm, and known where nothing is.
std::vector<PeIndex> shape_neighbours(std::string_view shape, PeIndex pe, PeIndex count);

/// ring: the PEs before and after. mesh: 2-D, rows and columns as near to a square as PEs divides, no
/// wrap-around. hypercube: numbers that differ in one bit, as far as these PEs exist; connected for any
/// number of PEs. comm: PEs whose objects exchange messages in the snapshot; throws MissingData without a
/// communication graph. known: these, and for a PE whose objects send to no other one, as for all where no
/// graph was recorded, those of the hypercube: nobody is left out.
PeGraph make_pe_graph(std::string_view shape, const Snapshot& snapshot);

/// The part of the difference of their finish times that goes, as load, over the link of two PEs in one step
/// of diffusion with gamma = 1. These are the weights of Metropolis chains, which converge on any graph.
inline double link_weight(double speed_of_p, double speed_of_q, std::size_t neighbours_of_p,
                          std::size_t neighbours_of_q) {
  return std::min(speed_of_p, speed_of_q) /
         (1 + static_cast<double>(std::max(neighbours_of_p, neighbours_of_q)));
}

/// The load that goes from PE p to its neighbour q in one step of diffusion (negative: from q to p), where
/// they have so many neighbours and finish then.
inline double link_flow(const Pes& pes, PeIndex p, PeIndex q, std::size_t neighbours_of_p,
                        std::size_t neighbours_of_q, double finish_of_p, double finish_of_q) {
  return link_weight(pes.speed[p], pes.speed[q], neighbours_of_p, neighbours_of_q) *
         (finish_of_p - finish_of_q);
}

}  // namespace skein::lb
