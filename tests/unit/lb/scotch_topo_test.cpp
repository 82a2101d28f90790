// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/machine.hpp"
#include "skein/lb/metrics.hpp"
#include "tests/unit/lb/partitioners.hpp"

using namespace skein::lb;

namespace {

double bytes_between_nodes(const Snapshot& snapshot, const Assignment& pe_of) {
  double bytes = 0;
  for (ObjectIndex from = 0; from < snapshot.object_count(); ++from) {
    for (std::uint64_t e = snapshot.graph.first[from]; e < snapshot.graph.first[from + 1]; ++e) {
      if (snapshot.pes.node[pe_of[from]] != snapshot.pes.node[pe_of[snapshot.graph.to[e]]])
        bytes += snapshot.graph.bytes[e];
    }
  }
  return bytes;
}

}  // namespace

// Two PEs on each of four nodes (PEs p and p + 4 on node p), eight groups of two objects: pairs of groups
// exchange much, others little. The partner of a PE's group must be on the other PE of the node: then only
// the ring's 1-byte edges between pairs of groups cross nodes, 4 of 8.
TEST_CASE("scotch-topo: what cannot share a PE shares a node") {
  if (!test::available("scotch-topo")) return;
  Snapshot snapshot;
  snapshot.pes = uniform_pes(8);
  for (std::size_t p = 0; p < 8; ++p) snapshot.pes.node[p] = static_cast<std::uint32_t>(p % 4);
  std::vector<CommEdge> edges;
  for (ObjectIndex i = 0; i < 16; ++i) {
    snapshot.add_object({.id = i, .pe = 0, .load = 1, .bytes = 1});
    edges.push_back({i, i ^ 1u, 1000});     // the two objects of a group
    edges.push_back({i, i ^ 2u, 300});      // the partner group
    edges.push_back({i, (i + 4) % 16, 1});  // others
  }
  snapshot.graph = make_comm_graph(16, edges);
  const Assignment pe_of = parse_strategy("scotch-topo").assign(snapshot, 1);
  CHECK(percent_imbalance(snapshot, pe_of) == 0);
  CHECK(bytes_between_nodes(snapshot, pe_of) == 16);
}

// The same traffic on a deeper tree, with unequal branches and a chain that leads to nothing.
TEST_CASE("scotch-topo: any tree is a machine") {
  if (!test::available("scotch-topo")) return;
  Snapshot snapshot = test::make_groups(4, 6, 4);
  snapshot.topology.parent = {0, 0, 1, 0, 1, 3};
  snapshot.topology.vertex_of_pe = {2, 2, 4, 0};
  for (const bool with_costs : {false, true}) {
    if (with_costs) {
      snapshot.topology.latency_s = {1e-5f, 1e-6f, 0, 1, 1e-6f, 1};
      snapshot.topology.byte_s = std::vector<float>(6, 1e-9f);
    }
    const Assignment pe_of = parse_strategy("scotch-topo").assign(snapshot, 1);
    CHECK(percent_imbalance(snapshot, pe_of) == 0);
    CHECK(communication(snapshot, pe_of).remote_bytes == 4);
  }
}
