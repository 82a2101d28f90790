// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/cost.hpp"

#include <doctest/doctest.h>

#include "skein/lb/metrics.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

TEST_CASE("cost: the PE with most to send and receive decides what a movement takes") {
  // Objects of 100 bytes. From PE 0 go two, to PEs 1 and 2; PE 1 gives one to PE 2. An object takes
  // 1 + 100 * 0.01 = 2 s at each end: PE 0 and PE 2 and PE 1 have two each, 4 s.
  const Snapshot snapshot = test::make_snapshot(3, {1, 1, 1, 1}, {0, 0, 1, 2});
  const CostModel cost{.object_s = 1, .byte_s = 0.01};
  CHECK(movement_seconds(snapshot, Assignment{1, 2, 2, 2}, cost) == doctest::Approx(4));
  CHECK(movement_seconds(snapshot, Assignment{1, 0, 1, 2}, cost) == doctest::Approx(2));
  CHECK(movement_seconds(snapshot, snapshot.objects.pe, cost) == 0);
}

TEST_CASE("cost: parts that are split off move like objects, and leave the rest smaller") {
  // Objects of 100 bytes. A quarter of the first is cut off for PE 2: 25 bytes, 1 + 0.25 s at PEs 0 and 2;
  // the rest of it, 75 bytes, goes to PE 1: 1.75 s at PEs 0 and 1. A half of the second stays on its PE.
  const Snapshot snapshot = test::make_snapshot(3, {4, 4}, {0, 1});
  const CostModel cost{.object_s = 1, .byte_s = 0.01};
  const std::vector<Split> splits{{0, 2, 0.25}, {1, 1, 0.5}};
  CHECK(movement_seconds(snapshot, Assignment{1, 1}, cost, splits) == doctest::Approx(3));
  const Movement moved = movement(snapshot, Assignment{1, 1}, splits);
  CHECK(moved.objects == 2);
  CHECK(moved.bytes == 100);
  CHECK(moved.max_out_bytes == 100);
  CHECK(moved.max_in_bytes == 75);
  // Loads: PE 1 has 3 + 4, PE 2 the 1 that was cut off.
  CHECK(interval_seconds(snapshot, Decision{{1, 1}, splits}, cost) == doctest::Approx(7));
}

TEST_CASE("cost: messages between PEs burden both, those inside one neither") {
  Snapshot snapshot = test::make_snapshot(2, {1, 2, 4}, {0, 0, 1});
  snapshot.pes.background_s[1] = 0.5;
  const std::vector<CommEdge> edges{{0, 1, 1000, 10}, {1, 2, 100, 2}};
  snapshot.graph = make_comm_graph(3, edges);
  // PE 0: 1 + 2, PE 1: 0.5 + 4; the edge 1 -> 2 adds 2 * 0.1 + 100 * 0.001 = 0.3 to each.
  const CostModel cost{.remote_message_s = 0.1, .remote_byte_s = 0.001};
  const Decision staying{snapshot.objects.pe, {}};
  CHECK(message_costs(snapshot, staying.pe_of, cost).pe_s == std::vector<double>(2, 2 * 0.1 + 100 * 0.001));
  CHECK(interval_seconds(snapshot, staying, cost) == doctest::Approx(4.8));
  CHECK(interval_seconds(snapshot, staying, {}) == doctest::Approx(4.5));
}

// PEs 0 and 1 are one node, PE 2 another. Object 0 sends 2 messages of 100 bytes in all to object 1 in its
// node, 2 * 0.01 + 100 * 0.0002 = 0.04 s, and as much to object 2 elsewhere, 2 * 0.1 + 100 * 0.001 = 0.3 s.
// Were it all between PEs anywhere, that would be 0.6 s.
TEST_CASE("cost: messages inside a node may take less") {
  Snapshot snapshot = test::make_snapshot(3, {1, 1, 1}, {0, 1, 2});
  snapshot.pes.node = {0, 0, 1};
  const std::vector<CommEdge> edges{{0, 1, 100, 2}, {0, 2, 100, 2}};
  snapshot.graph = make_comm_graph(3, edges);
  const CostModel cost{.remote_message_s = 0.1, .remote_byte_s = 0.001, .in_node = LinkCosts{0.01, 0.0002}};
  const MessageCosts costs = message_costs(snapshot, snapshot.objects.pe, cost);
  CHECK(costs.pe_s[0] == doctest::Approx(0.34));
  CHECK(costs.pe_s[1] == doctest::Approx(0.04));
  CHECK(costs.pe_s[2] == doctest::Approx(0.3));
  CHECK(costs.remote_s == doctest::Approx(0.34));
  CHECK(costs.all_s == doctest::Approx(0.6));
}

// Exchanges take 2 ms and 3 ns a byte, but the first of each size a second more, and the others up to 4 ms,
// of which the least counts.
TEST_CASE("cost: a link's latency and time a byte from the least of several exchanges") {
  static double now;
  now = 0;
  int calls = 0;
  const LinkCosts costs = measure_link(
      0, 1'000'000, [] { return now; },
      [&](std::size_t bytes) {
        const double extra[] = {1, 0.004, 0.001, 0, 0.002};
        now += 0.002 + 3e-9 * static_cast<double>(bytes) + extra[calls++ % 5];
      });
  CHECK(calls == 10);
  CHECK(costs.message_s == doctest::Approx(0.002));
  CHECK(costs.byte_s == doctest::Approx(3e-9));
}
