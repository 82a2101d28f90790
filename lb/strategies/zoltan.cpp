// SPDX-License-Identifier: Apache-2.0
// zoltan: the messages as a hypergraph, partitioned with Zoltan's PHG. An object and its partners form one
// hyperedge, which costs its weight for every PE but one that it reaches: the right cost for an object that
// sends the same data to all its partners.
//
// approach=partition maps afresh and moves nearly everything; approach=repartition ties every object to its
// PE with a net of its own, and trades traffic against moves.
//
// Looks at the graph, loads, speeds, background; for repartition at the placement. Wins where objects have
// many partners each. Loses to scotch and metis on time, by far. Load above the tolerance is levelled
// afterwards (lb/libraries/problem.hpp). U. V. Catalyurek et al., "A repartitioning hypergraph model for
// dynamic load balancing", Journal of Parallel and Distributed Computing 69 (2009).
#include "lb/libraries/problem.hpp"
#include "lb/parallel/problem.hpp"
#include "lb/strategies/define.hpp"

namespace skein::lb {

std::span<const Key> zoltan_keys() {
  static constexpr Key keys[] = {
      kZoltanApproach,
      kLibraryTolerance,
      kZoltanMigration,
  };
  return keys;
}

Assignment assign_zoltan(const Snapshot& snapshot, const Options& options, std::uint64_t seed) {
  const PartitionProblem problem =
      make_partition_problem(snapshot, Pinned::as_fixed_vertices, zoltan_migration(options));
  return solve(uses_zoltan, snapshot, problem, problem.request(seed), options.real("tolerance"));
}

Assignment assign_part_zoltan(const SnapshotPart& part, const Options& options, std::uint64_t seed,
                              Team& team) {
  const PartitionProblem problem =
      make_part_problem(part, {.graph = true, .fixed = true, .migration = zoltan_migration(options)}, team);
  return solve_part(uses_zoltan, part, problem, problem.request(seed), options.real("tolerance"), team);
}

}  // namespace skein::lb
