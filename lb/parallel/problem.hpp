// SPDX-License-Identifier: Apache-2.0
// Makes a part of a snapshot a part of a partitioning problem (lb/libraries/problem.hpp), and turns the
// solution into the assignment of this process's objects.
//
// Parts and their weights are as in that file. The vertices are all objects, so that a vertex has its
// object's number; immovable objects, and those without load, have no weight and stay whatever part they get.
#pragma once
#include <optional>
#include <vector>

#include "lb/libraries/partitioner.hpp"
#include "lb/libraries/problem.hpp"
#include "skein/lb/parallel.hpp"

namespace skein::lb {

// The partners, in either direction, of one process's objects.

/// Row i of own object i: the numbers of its partners on any process, rising, and the bytes to and from them.
/// Both ends of an edge get the same bytes; edges of an object to itself are left out.
struct PartNeighbours {
  std::vector<std::uint64_t> first;
  std::vector<ObjectIndex> to;
  std::vector<double> bytes;
};

/// Returns the partners of this process's objects. Collective.
PartNeighbours part_neighbours(const SnapshotPart& part, Team& team);

/// The inputs of the library beside loads.
struct ProblemParts {
  bool graph = false;
  bool positions = false;
  bool fixed = false;  // pinned objects as fixed vertices, which draw their partners to them
  std::optional<double> migration = {};  // as in make_partition_problem(); without a value: afresh
};

/// Returns this process's objects on the PEs of `pe_of`, where all finish as `finish` says. Objects of other
/// processes become background of their PEs.
Snapshot seen_by_one(const SnapshotPart& part, const Assignment& pe_of, const std::vector<double>& finish);

/// Makes the problem. Throws StrategyError as make_partition_problem() does. Collective.
PartitionProblem make_part_problem(const SnapshotPart& part, const ProblemParts& wanted, Team& team);

/// Solves the problem as solve() does. Load above `tolerance` is levelled by one process after the other,
/// each among its own objects. Collective.
Assignment solve_part(std::uint32_t library, const SnapshotPart& part, const PartitionProblem& problem,
                      PartitionRequest request, double tolerance, Team& team);

/// Decides by positions, with Zoltan. `method` is Flavour::boxes or curve. Collective.
Assignment partition_by_position(Flavour method, const SnapshotPart& part, std::uint64_t seed, Team& team);

}  // namespace skein::lb
