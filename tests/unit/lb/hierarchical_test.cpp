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

TEST_CASE("hierarchical: every strategy that its keys allow exists, and works at both levels") {
  const Snapshot snapshot = test::make_snapshot(test::Kind{"nodes", 60, 8, 0.2}, 3);
  for (const Key& key : parse_strategy("hierarchical").info->keys) {
    std::string_view choices = key.choices;
    while (!choices.empty()) {
      const std::string name(choices.substr(0, choices.find('|')));
      choices.remove_prefix(std::min(choices.size(), name.size() + 1));
      CAPTURE(name);
      CHECK(parse_strategy("hierarchical:" + std::string(key.name) + "=" + name).assign(snapshot, 1).size() ==
            60);
    }
  }
  CHECK_THROWS_AS(parse_strategy("hierarchical:node=metal"), StrategyError);
}
