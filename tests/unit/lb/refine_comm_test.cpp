// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

namespace {

// A ring: object i sends `bytes` to object i + 1.
CommGraph make_ring(std::size_t objects, double bytes) {
  std::vector<CommEdge> edges;
  for (ObjectIndex i = 0; i < objects; ++i)
    edges.push_back({i, static_cast<ObjectIndex>((i + 1) % objects), bytes});
  return make_comm_graph(objects, edges);
}

}  // namespace

// Four objects of load 1 on PE 0, two on PE 1, none on PE 2; mean 2. Objects 0 and 1 talk to objects on PE 1
// but that has no room left; 2 and 3 talk to each other. Limit 2.04: PE 0 sheds two. Those with the least
// hold are 0 and 1: they go to PE 2 together.
TEST_CASE("refine-comm: sheds what holds least and keeps pairs together") {
  Snapshot snapshot = test::make_snapshot(3, {1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 1, 1});
  const std::vector<CommEdge> edges{{0, 4, 50}, {1, 5, 50}, {0, 1, 20}, {2, 3, 90}};
  snapshot.graph = make_comm_graph(6, edges);
  CHECK(parse_strategy("refine-comm").assign(snapshot, 1) == Assignment{2, 2, 0, 0, 1, 1});
}

// Balanced, but object 2 talks to PE 0 and object 0 (on PE 0) to PE 1. Room for one more object everywhere:
// tolerance 1.5. Object 2: 1000 B saved a step, 100 B to move.
TEST_CASE("refine-comm: moves an object to those it talks to when that pays within the horizon") {
  Snapshot snapshot = test::make_snapshot(2, {1, 1, 1, 1, 2}, {0, 0, 1, 1, 1});
  snapshot.objects.migratable = {0, 0, 1, 0, 0};
  const std::vector<CommEdge> edges{{2, 0, 600}, {1, 2, 500}, {2, 3, 100}};
  snapshot.graph = make_comm_graph(5, edges);
  snapshot.objects.bytes[2] = 5000;
  CHECK(parse_strategy("refine-comm:tolerance=1.5,horizon=4").assign(snapshot, 1) ==
        Assignment{0, 0, 1, 1, 1});
  CHECK(parse_strategy("refine-comm:tolerance=1.5,horizon=6").assign(snapshot, 1) ==
        Assignment{0, 0, 0, 1, 1});
}

TEST_CASE("refine-comm: cuts less than refine at the same tolerance") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    Snapshot snapshot;
    snapshot.pes = uniform_pes(16);
    for (PeIndex i = 0; i < 1600; ++i)
      snapshot.add_object({.id = i, .pe = i / 100, .load = random.unit(), .bytes = 10});
    snapshot.graph = make_ring(1600, 1000);
    const Assignment refine = parse_strategy("refine:tolerance=1.02").assign(snapshot, 1);
    const Assignment refine_comm = parse_strategy("refine-comm:tolerance=1.02").assign(snapshot, 1);
    CHECK(percent_imbalance(snapshot, refine_comm) <= 2 + 1e-9);
    CHECK(communication(snapshot, refine_comm).remote_bytes <
          0.8 * communication(snapshot, refine).remote_bytes);
  }
}
