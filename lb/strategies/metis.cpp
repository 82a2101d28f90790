// SPDX-License-Identifier: Apache-2.0
// metis: the communication graph partitioned afresh with METIS, k parts at once or by recursive bisection.
//
// Looks at the graph, loads, speeds, background. Wins on traffic between PEs at a first step or after
// upheaval, as scotch does, and is several times as fast. Loses on moves, as scotch does. METIS knows no
// fixed vertices: pinned objects count as load of their PE, but do not draw their partners to it. Load above
// the tolerance is levelled afterwards (lb/libraries/problem.hpp). O(n + edges + PEs log PEs) for
// method=kway. G. Karypis, V. Kumar, "Multilevel k-way partitioning scheme for irregular graphs", Journal of
// Parallel and Distributed Computing 48 (1998).
#include "lb/libraries/problem.hpp"
#include "lb/strategies/define.hpp"

namespace skein::lb {

std::span<const Key> metis_keys() {
  static constexpr Key keys[] = {
      choice_key("method", "kway", "kway|recursive",
                 "kway: all parts at once; recursive: by repeated bisection"),
      kLibraryTolerance,
  };
  return keys;
}

Assignment assign_metis(const Snapshot& snapshot, const Options& options, std::uint64_t seed) {
  const PartitionProblem problem = make_partition_problem(snapshot, Pinned::left_out);
  const Flavour method = options.choice("method") == "recursive" ? Flavour::recursive : Flavour::standard;
  return solve(uses_metis, snapshot, problem, problem.request(seed, method), options.real("tolerance"));
}

}  // namespace skein::lb
