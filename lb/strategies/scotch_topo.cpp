// SPDX-License-Identifier: Apache-2.0
// scotch-topo: the communication graph mapped afresh onto the machine with Scotch. Scotch gets the topology
// as a target architecture, so it minimizes bytes times distance: partners that cannot share a PE share a
// cache, a NUMA domain or a node where possible. Without a topology it knows only the nodes of the PEs.
//
// The distance of two PEs is the sum of the links on the way between them in the tree; links grow with the
// latency of the vertex above, the shortest is 1.
//
// Looks at the graph, topology, loads, speeds, background. Wins if levels of the machine differ much and PEs
// exchange much. Loses on moves, as scotch does; and on time for many PEs, whose distances Scotch tabulates:
// O(PEs^2) memory and more time. Load above the tolerance is levelled afterwards (lb/libraries/problem.hpp).
// F. Pellegrini, J. Roman, "Scotch: a software package for static mapping by dual recursive bipartitioning of
// process and architecture graphs", HPCN 1996.
#include <algorithm>
#include <cmath>

#include "lb/kernel/machine.hpp"
#include "lb/libraries/problem.hpp"
#include "lb/strategies/define.hpp"

namespace skein::lb {
namespace {

struct PartTree {
  std::vector<std::int32_t> parent, length;
};

/// Returns the machine's tree with the parts as its leaves, without vertices that have no parts below.
PartTree tree_of_parts(const Machine& machine, const PartitionProblem& problem) {
  const Topology& topology = machine.tree();
  std::vector<bool> leads(topology.parent.size(), false);
  for (const PeIndex pe : problem.pe_of) leads[topology.vertex_of_pe[pe]] = true;
  for (std::size_t v = leads.size(); v-- > 1;)
    leads[topology.parent[v]] = leads[topology.parent[v]] || leads[v];

  float shortest = *std::ranges::max_element(topology.latency_s);
  for (const float latency : topology.latency_s) {
    if (latency > 0) shortest = std::min(shortest, latency);
  }
  PartTree tree;
  std::vector<std::int32_t> place(leads.size(), 0);
  const auto add = [&](std::uint32_t above) {
    constexpr double kLongest = 1000;
    const double ratio = shortest > 0 ? topology.latency_s[above] / shortest : 1;
    tree.parent.push_back(place[above]);
    tree.length.push_back(static_cast<std::int32_t>(std::lround(std::clamp(ratio, 1.0, kLongest))));
  };
  for (std::uint32_t v = 0; v < leads.size(); ++v) {
    if (!leads[v]) continue;
    place[v] = static_cast<std::int32_t>(tree.parent.size());
    add(topology.parent[v]);
  }
  for (const PeIndex pe : problem.pe_of) add(topology.vertex_of_pe[pe]);
  return tree;
}

}  // namespace

std::span<const Key> scotch_topo_keys() {
  static constexpr Key keys[] = {kScotchFlavour, kLibraryTolerance};
  return keys;
}

Assignment assign_scotch_topo(const Snapshot& snapshot, const Options& options, std::uint64_t seed) {
  const PartitionProblem problem = make_partition_problem(snapshot, Pinned::as_fixed_vertices);
  const PartTree tree = tree_of_parts(Machine(snapshot), problem);
  PartitionRequest request = problem.request(seed, scotch_flavour(options, problem));
  request.tree_parent = tree.parent;
  request.tree_length = tree.length;
  return solve(uses_scotch, snapshot, problem, request, options.real("tolerance"));
}

}  // namespace skein::lb
