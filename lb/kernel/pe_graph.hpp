// SPDX-License-Identifier: Apache-2.0
// Which PEs count as neighbours in distributed strategies.
#pragma once
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

}  // namespace skein::lb
