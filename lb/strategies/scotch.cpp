// SPDX-License-Identifier: Apache-2.0
// scotch: the communication graph mapped afresh with Scotch, k parts at once by a multilevel method: the
// graph is coarsened by merging partners that exchange much, the coarsest one divided, and the borders
// between parts are improved as it is uncoarsened.
//
// Looks at the graph, loads, speeds, background. Wins on traffic between PEs, at a first step or after
// upheaval. Loses on moves, since it ignores the placement: part numbers are arbitrary, so nearly everything
// moves. Imbalance from few heavy objects is levelled afterwards (lb/libraries/problem.hpp). About O((n +
// edges) log PEs). F. Pellegrini, J. Roman, "Scotch: a software package for static mapping by dual recursive
// bipartitioning of process and architecture graphs", HPCN 1996.
#include "lb/libraries/problem.hpp"
#include "lb/parallel/problem.hpp"
#include "lb/strategies/define.hpp"

namespace skein::lb {

std::span<const Key> scotch_keys() {
  static constexpr Key keys[] = {kScotchFlavour, kLibraryTolerance};
  return keys;
}

Assignment assign_scotch(const Snapshot& snapshot, const Options& options, std::uint64_t seed) {
  const PartitionProblem problem = make_partition_problem(snapshot, Pinned::as_fixed_vertices);
  return solve(uses_scotch, snapshot, problem, problem.request(seed, scotch_flavour(options, problem)),
               options.real("tolerance"));
}

Assignment assign_part_scotch(const SnapshotPart& part, const Options& options, std::uint64_t seed,
                              Team& team) {
  const PartitionProblem problem = make_part_problem(part, {.graph = true}, team);
  return solve_part(uses_ptscotch, part, problem, problem.request(seed, scotch_flavour(options, problem)),
                    options.real("tolerance"), team);
}

}  // namespace skein::lb
