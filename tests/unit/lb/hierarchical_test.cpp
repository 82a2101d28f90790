// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

// Node 0 has PEs 0, 2 and node 1 PEs 1, 3 (ids need not be blocks). Node 0 holds 4 + 4 on PE 0, node 1 has 8
// on PE 1: nodes are balanced, 8 each, so nothing crosses; inside node 0 one object goes to PE 2. The heavy
// one cannot be divided.
TEST_CASE("hierarchical: balanced nodes exchange nothing") {
  Snapshot snapshot = test::make_snapshot(4, {4, 4, 5, 3}, {0, 0, 1, 1});
  snapshot.pes.node = {7, 9, 7, 9};
  const Assignment pe_of = parse_strategy("hierarchical").assign(snapshot, 1);
  CHECK(finish_times(snapshot, pe_of) != finish_times(snapshot, snapshot.objects.pe));
  CHECK(std::ranges::max(finish_times(snapshot, pe_of)) == 5);
  for (std::size_t i = 0; i < pe_of.size(); ++i) {
    CHECK(snapshot.pes.node[pe_of[i]] == snapshot.pes.node[snapshot.objects.pe[i]]);
  }
}

// All on node 0 (PEs 0, 1); 4 a node balances: two of load 2 cross to node 1, and inside each PE gets 2.
TEST_CASE("hierarchical: what a node has too much goes to the other, then is divided inside") {
  Snapshot snapshot = test::make_snapshot(4, {2, 2, 2, 2}, {0, 0, 0, 0});
  snapshot.pes = uniform_pes(4, 2);
  CHECK(finish_times(snapshot, parse_strategy("hierarchical").assign(snapshot, 1)) ==
        std::vector<double>{2, 2, 2, 2});
}

TEST_CASE("hierarchical: fewer objects cross nodes than with its inner strategy over all PEs") {
  const test::Kind kind{"nodes of four", 2000, 32};
  const auto crossings = [](const Snapshot& snapshot, const Assignment& pe_of) {
    int count = 0;
    for (std::size_t i = 0; i < pe_of.size(); ++i) {
      count += snapshot.pes.node[pe_of[i]] != snapshot.pes.node[snapshot.objects.pe[i]];
    }
    return count;
  };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Snapshot snapshot = test::make_snapshot(kind, seed);
    const Assignment flat = parse_strategy("greedy-refine").assign(snapshot, 1);
    const Assignment nested = parse_strategy("hierarchical").assign(snapshot, 1);
    CHECK(crossings(snapshot, nested) < crossings(snapshot, flat));
    CHECK(percent_imbalance(snapshot, nested) <= 2);
  }
}

namespace {

// Objects with a graph, positions and interactions, on `nodes` nodes of `pes` PEs, in each of which pairs of
// PEs share a domain.
Snapshot make_all(std::size_t nodes, std::size_t pes) {
  Snapshot snapshot = test::make_snapshot(test::Kind{"all that strategies look at", 60, nodes * pes}, 3);
  snapshot.pes = uniform_pes(nodes * pes, pes);
  std::vector<std::vector<Domain>> ways;
  for (std::uint64_t p = 0; p < nodes * pes; ++p)
    ways.push_back({{0, 2e-6f, 1e-9f}, {p / pes, 5e-7f, 1e-10f}, {p % pes / 2, 2e-7f, 5e-11f}});
  snapshot.topology = make_topology(ways);
  std::vector<CommEdge> edges;
  std::vector<Hyperedge> hyperedges;
  for (ObjectIndex i = 0; i < 60; ++i) {
    for (const ObjectIndex step : {1u, 8u, 31u}) edges.push_back({i, (i + step) % 60, 1000.0 + i});
    hyperedges.push_back({{i, (i + 1) % 60, (i + 7) % 60}, 100});
  }
  snapshot.graph = make_comm_graph(60, edges);
  snapshot.hypergraph = make_hypergraph(60, hyperedges);
  snapshot.objects.position.clear();
  for (int i = 0; i < 60; ++i)
    snapshot.objects.position.push_back({static_cast<float>(i % 8), static_cast<float>(i / 8), 0});
  return snapshot;
}

// Those that can be had here, without what has to be told a file.
std::vector<std::string> all_strategies() {
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategies())
    if (why_unavailable(info).empty() && with_defaults(info).missing_key().empty())
      names.emplace_back(info.name);
  return names;
}

}  // namespace

TEST_CASE("hierarchical: every strategy works at both levels with every other") {
  const Snapshot snapshot = make_all(3, 4);
  const std::vector<std::string> names = all_strategies();
  CHECK(names.size() > 15);
  for (const std::string& node : names) {
    for (const std::string& pe : names) {
      CAPTURE(node);
      CAPTURE(pe);
      const Selection selection = parse_strategy("hierarchical:node=" + node + ",pe=" + pe);
      const Assignment pe_of = selection.assign(snapshot, 1);
      CHECK(pe_of.size() == 60);
      CHECK(std::ranges::max(finish_times(snapshot, pe_of)) <=
            std::ranges::max(finish_times(snapshot, snapshot.objects.pe)));
    }
  }
}

// Where there is one node, or a PE in each, one of the levels has nothing to decide, and the other sees the
// whole snapshot: the same graph, positions, interactions and distances.
TEST_CASE("hierarchical: a level sees all that its strategy looks at") {
  const Snapshot one_node = make_all(1, 8), one_pe_each = make_all(8, 1);
  const auto unless_worse = [](const Snapshot& snapshot, Assignment pe_of) {
    const auto largest = [&](const Assignment& placed) {
      return std::ranges::max(finish_times(snapshot, placed));
    };
    return largest(pe_of) < largest(snapshot.objects.pe) ? pe_of : snapshot.objects.pe;
  };
  for (const std::string& name : all_strategies()) {
    CAPTURE(name);
    const Selection alone = parse_strategy(name);
    CHECK(parse_strategy("hierarchical:node=none,pe=" + name).assign(one_node, 5) ==
          unless_worse(one_node, alone.assign(one_node, 5)));
    CHECK(parse_strategy("hierarchical:pe=none,node=" + name).assign(one_pe_each, 5) ==
          unless_worse(one_pe_each, alone.assign(one_pe_each, 5)));
  }
}

// 4 + 3 | 2 on one node. With a tolerance of 2 nothing has to move.
TEST_CASE("hierarchical: a strategy of it may have a key") {
  const Snapshot snapshot = test::make_snapshot(2, {4, 3, 2}, {0, 0, 1});
  CHECK(parse_strategy("hierarchical:pe=refine:tolerance=2").assign(snapshot, 1) == snapshot.objects.pe);
  CHECK(parse_strategy("hierarchical:pe=refine").assign(snapshot, 1) == Assignment{0, 1, 1});
}

TEST_CASE("hierarchical: what is wrong with a strategy of it is told") {
  CHECK_THROWS_WITH_AS(parse_strategy("hierarchical:node=metal"),
                       doctest::Contains("key 'node' is 'metal': unknown strategy 'metal'"), StrategyError);
  CHECK_THROWS_WITH_AS(parse_strategy("hierarchical:pe=refine:tolerance=0"), doctest::Contains("tolerance"),
                       StrategyError);
  CHECK_THROWS_AS(parse_strategy("hierarchical:node="), StrategyError);
  const Snapshot bare = test::make_snapshot(2, {1, 2}, {0, 0});
  CHECK_THROWS_AS(parse_strategy("hierarchical:pe=rcb").assign(bare, 1), MissingData);
  CHECK_THROWS_AS(parse_strategy("hierarchical:node=hwtopo").assign(bare, 1), MissingData);
  CHECK_THROWS_AS(parse_strategy("hierarchical:node=offline").assign(bare, 1), MissingData);
}
