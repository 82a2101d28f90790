// SPDX-License-Identifier: Apache-2.0
// A part of a snapshot as that of a partitioning problem (lb/libraries/problem.hpp), and its solution as the
// assignment of this process's objects.
//
// Parts and their weights are as there. Vertices are all objects, so that a vertex has its object's number;
// those that may not move, or have no load, have no weight and stay whatever part they get.
#pragma once
#include <optional>
#include <vector>

#include "lb/libraries/partitioner.hpp"
#include "lb/libraries/problem.hpp"
#include "skein/lb/parallel.hpp"

namespace skein::lb {

// Who talks to whom, in either direction, of the objects of one process.

/// Row i of own object i: numbers of its partners on any process, rising, and the bytes to and from them.
/// Both ends of an edge get the same bytes; edges of an object to itself are left out.
struct PartNeighbours {
  std::vector<std::uint64_t> first;
  std::vector<ObjectIndex> to;
  std::vector<double> bytes;
};

/// Collective.
PartNeighbours part_neighbours(const SnapshotPart& part, Team& team);

/// What the library is told beside loads.
struct ProblemParts {
  bool graph = false;
  bool positions = false;
  bool fixed = false;  // pinned objects as fixed vertices, which draw their partners to them
  std::optional<double> migration = {};  // as in make_partition_problem(); else afresh
};

/// This process's objects at those places, where all finish then: the objects of other processes are, to it,
/// a background of their PEs.
Snapshot seen_by_one(const SnapshotPart& part, const Assignment& pe_of, const std::vector<double>& finish);

/// Collective, as is solve_part(). Throws StrategyError as make_partition_problem().
PartitionProblem make_part_problem(const SnapshotPart& part, const ProblemParts& wanted, Team& team);

/// As solve(): what exceeds `tolerance` is levelled, by each process in its turn among its own objects.
Assignment solve_part(std::uint32_t library, const SnapshotPart& part, const PartitionProblem& problem,
                      PartitionRequest request, double tolerance, Team& team);

/// Collective, as solve_part(). For a strategy by positions, which Zoltan follows: Flavour::boxes or curve.
Assignment partition_by_position(Flavour method, const SnapshotPart& part, std::uint64_t seed, Team& team);

}  // namespace skein::lb
