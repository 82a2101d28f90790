// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

// Objects 0 2 4 6 all talk to each other, as do 1 3 5 7; one thin edge joins the groups. The one cut of 1
// byte is the best among all equal halves.
TEST_CASE("bipart: cuts between two groups that talk little") {
  Snapshot snapshot = test::make_snapshot(2, std::vector<double>(8, 1), {0, 0, 0, 0, 1, 1, 1, 1});
  std::vector<CommEdge> edges{{0, 1, 1}};
  for (ObjectIndex i = 0; i < 8; ++i) {
    for (ObjectIndex j = i + 2; j < 8; j += 2) edges.push_back({i, j, 100});
  }
  snapshot.graph = make_comm_graph(8, edges);
  CHECK(communication(snapshot, parse_strategy("bipart").assign(snapshot, 1)).remote_bytes == 1);
}

// A ring falls into P pieces with at least P cut edges, and into P connected pieces with exactly P.
TEST_CASE("bipart: a ring is cut as little as it can be") {
  constexpr ObjectIndex kObjects = 64;
  Snapshot snapshot;
  snapshot.pes = uniform_pes(4);
  std::vector<CommEdge> edges;
  for (ObjectIndex i = 0; i < kObjects; ++i) {
    snapshot.add_object({.id = i, .pe = i % 4, .load = 1});
    edges.push_back({i, (i + 1) % kObjects, 10});
  }
  snapshot.graph = make_comm_graph(kObjects, edges);
  const Assignment pe_of = parse_strategy("bipart").assign(snapshot, 1);
  CHECK(percent_imbalance(snapshot, pe_of) == 0);
  CHECK(communication(snapshot, pe_of).remote_bytes == 40);
}

// Objects 0 and 3, at the ends of a chain, are pinned the wrong way round: the chain 0 - 1 - 2 - 3 is cut in
// its thin middle, each movable object with the pinned one it talks to.
TEST_CASE("bipart: movable objects follow the pinned ones they talk to") {
  Snapshot snapshot = test::make_snapshot(2, {1, 1, 1, 1}, {1, 0, 1, 0});
  snapshot.objects.migratable = {0, 1, 1, 0};
  const std::vector<CommEdge> edges{{0, 1, 100}, {1, 2, 1}, {2, 3, 100}};
  snapshot.graph = make_comm_graph(4, edges);
  CHECK(parse_strategy("bipart").assign(snapshot, 1) == Assignment{1, 1, 0, 0});
}

// A 32 x 32 grid of equal objects on 16 PEs. Squares of 8 x 8 cut 2 x 3 x 32 = 192 edges, the least known;
// columns two wide cut 15 x 32 = 480.
TEST_CASE("bipart: on a grid the cut is at most two thirds of that of columns") {
  constexpr ObjectIndex kSide = 32;
  Snapshot snapshot;
  snapshot.pes = uniform_pes(16);
  std::vector<CommEdge> edges;
  for (ObjectIndex i = 0; i < kSide * kSide; ++i) {
    snapshot.add_object({.id = i, .load = 1});
    if (i % kSide + 1 < kSide) edges.push_back({i, i + 1, 1});
    if (i + kSide < kSide * kSide) edges.push_back({i, i + kSide, 1});
  }
  snapshot.graph = make_comm_graph(kSide * kSide, edges);
  const Assignment pe_of = parse_strategy("bipart").assign(snapshot, 1);
  CHECK(percent_imbalance(snapshot, pe_of) <= 5);
  CHECK(communication(snapshot, pe_of).remote_bytes >= 192);
  CHECK(communication(snapshot, pe_of).remote_bytes <= 320);
}
