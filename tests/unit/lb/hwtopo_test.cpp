// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

// Loads 3, 2, 1 on PE 0 of two, no messages, nearly no temperature. The strategy always takes the heaviest
// object of the fullest PE. Moving the 3 to PE 1 gives 3 and 3; then every move is worse, and the strategy
// ends.
TEST_CASE("hwtopo: the heaviest object leaves the fullest PE until that gains nothing") {
  Snapshot snapshot = test::make_snapshot(2, {3, 2, 1}, {0, 0, 0});
  snapshot.graph = make_comm_graph(3, {});
  const Selection hwtopo = parse_strategy("hwtopo:alpha=1,beta=1,temperature=1e-6");
  CHECK(hwtopo.assign(snapshot, 1) == Assignment{1, 0, 0});
}

// Objects 0 (load 4) and 1 (load 4.5) on PE 0. Object 1 receives a message from object 2, pinned on PE 3 with
// load 4; a message between PEs 2 and 3 takes 1 s, any other way 5 s. PE 0 takes 4 + 4.5 + 5 = 13.5 s. Object
// 1 is the heaviest: on PE 1 it would take 9.5 s, on PE 3 8.5 s and a copy, on PE 2 5.5 s, which is the
// longest time then. From there every move is longer.
TEST_CASE("hwtopo: waiting for messages counts, by the level they pass") {
  Snapshot snapshot = test::make_snapshot(4, {4, 4.5, 4}, {0, 0, 3});
  snapshot.objects.migratable[2] = 0;
  snapshot.topology.parent = {0, 0, 0};
  snapshot.topology.vertex_of_pe = {1, 1, 2, 2};
  snapshot.topology.latency_s = {5, 5, 1};
  snapshot.topology.byte_s = {0, 0, 0};
  snapshot.graph = make_comm_graph(3, std::vector<CommEdge>{{2, 1, 10, 1}});
  const Selection hwtopo = parse_strategy("hwtopo:alpha=1,beta=1,temperature=1e-6");
  CHECK(hwtopo.assign(snapshot, 1) == Assignment{0, 2, 3});
}

TEST_CASE("hwtopo: levels a machine full of objects with few moves") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Snapshot snapshot = test::make_snapshot(test::Kind{"nodes", 2000, 32}, seed);
    const Assignment pe_of = parse_strategy("hwtopo").assign(snapshot, seed);
    CHECK(percent_imbalance(snapshot, pe_of) < 0.5 * percent_imbalance(snapshot, snapshot.objects.pe));
    CHECK(movement(snapshot, pe_of).objects < 200);
  }
}
