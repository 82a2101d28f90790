// SPDX-License-Identifier: Apache-2.0
// Who talks to whom, in either direction, of the objects of one process.
#pragma once
#include <vector>

#include "skein/lb/parallel.hpp"

namespace skein::lb {

/// Row i of own object i: numbers of its partners on any process, rising, and the bytes to and from them.
/// Both ends of an edge get the same bytes; edges of an object to itself are left out.
struct PartNeighbours {
  std::vector<std::uint64_t> first;
  std::vector<ObjectIndex> to;
  std::vector<double> bytes;
};

/// Collective.
PartNeighbours part_neighbours(const SnapshotPart& part, Team& team);

}  // namespace skein::lb
