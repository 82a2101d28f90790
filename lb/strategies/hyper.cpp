// SPDX-License-Identifier: Apache-2.0
// hyper: a sample of the interactions as a hypergraph, partitioned with Zoltan's PHG. A hyperedge joins
// objects that interact, and costs its bytes for every PE but one that it reaches. Because there are more
// interactions than a partitioner can handle, most of them where objects are dense, an adaptive sample stands
// for them: the more interactions an object has, the smaller the share of them
// (lb/kernel/interaction_sample.hpp).
//
// Without hyperedges, two objects that exchange messages form one, with the bytes that both send.
//
// Looks at the hyperedges (else the graph), loads, speeds, background; for repartition at the placement. Wins
// where density, and so work, is far from uniform, as in n-body codes: loads are measured, and the cut is the
// real traffic between PEs. Loses to rcb and sfc on time, by far. Load above the tolerance is levelled
// afterwards (lb/libraries/problem.hpp). O(pins) and PHG's time for `pins` times as many pins as objects. O.
// Pearce et al., "Load balancing n-body simulations with highly non-uniform density", ICS 2014, which
// partitions interactions over bodies; here interactions join the movable objects.
#include <algorithm>

#include "lb/kernel/interaction_sample.hpp"
#include "lb/kernel/neighbours.hpp"
#include "lb/libraries/problem.hpp"
#include "lb/strategies/define.hpp"

namespace skein::lb {
namespace {

/// Returns a hyperedge for each pair of objects that exchange messages.
Hypergraph hypergraph_of_messages(const Snapshot& snapshot) {
  const Neighbours links(snapshot);
  Hypergraph pairs;
  pairs.first.push_back(0);
  std::vector<Neighbours::Link> row;
  for (ObjectIndex i = 0; i < snapshot.object_count(); ++i) {
    row.clear();
    for (const Neighbours::Link& link : links.of(i)) {
      if (link.object > i) row.push_back(link);
    }
    std::ranges::stable_sort(row, {}, &Neighbours::Link::object);
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (k > 0 && row[k].object == row[k - 1].object) {
        pairs.bytes.back() += row[k].bytes;
        continue;
      }
      pairs.pin.insert(pairs.pin.end(), {i, row[k].object});
      pairs.first.push_back(pairs.pin.size());
      pairs.bytes.push_back(row[k].bytes);
    }
  }
  return pairs;
}

/// Returns a path through the objects of each hyperedge, for levelling: cutting the path costs at least as
/// much as cutting the hyperedge, and as much if the objects of one PE are consecutive.
CommGraph paths_through(const Hypergraph& hypergraph, std::size_t object_count) {
  std::vector<CommEdge> edges;
  for (std::size_t h = 0; h < hypergraph.hyperedge_count(); ++h) {
    const auto pins = hypergraph.pins(h);
    for (std::size_t k = 1; k < pins.size(); ++k)
      edges.push_back({pins[k - 1], pins[k], hypergraph.bytes[h]});
  }
  return make_comm_graph(object_count, edges);
}

}  // namespace

std::span<const Key> hyper_keys() {
  static constexpr Key keys[] = {
      kZoltanApproach,
      kLibraryTolerance,
      kZoltanMigration,
      real_key("pins", "32", 2, 1e6, "mean number of sampled interactions that join an object"),
  };
  return keys;
}

Assignment assign_hyper(const Snapshot& snapshot, const Options& options, std::uint64_t seed) {
  const std::size_t objects = snapshot.object_count();
  Snapshot sampled = snapshot;
  sampled.hypergraph =
      sample_hypergraph(snapshot.hypergraph.empty() ? hypergraph_of_messages(snapshot) : snapshot.hypergraph,
                        objects, options.real("pins") * static_cast<double>(objects), seed);
  sampled.graph = paths_through(sampled.hypergraph, objects);
  const PartitionProblem problem =
      make_partition_problem(sampled, sampled.hypergraph, zoltan_migration(options));
  return solve(uses_zoltan, sampled, problem, problem.request(seed), options.real("tolerance"));
}

}  // namespace skein::lb
