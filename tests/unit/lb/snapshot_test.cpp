// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/snapshot.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

namespace {

Snapshot valid_snapshot() {
  Snapshot snapshot = test::make_snapshot(2, {1, 2, 3}, {0, 1, 1});
  const std::vector<CommEdge> edges{{0, 1, 8}, {2, 0, 16}};
  snapshot.graph = make_comm_graph(3, edges);
  const std::vector<Hyperedge> hyperedges{{{2, 0}, 4}, {{0, 1, 2}, 1}};
  snapshot.hypergraph = make_hypergraph(3, hyperedges);
  snapshot.blocks = {{1, kNoBlock, 0}, {100, 10}, {0, 1}};
  snapshot.topology = {{0, 0, 0}, {1, 2}};
  return snapshot;
}

// Returns the error that `damage` causes; empty if the snapshot is still valid.
std::string error_after(const std::function<void(Snapshot&)>& damage) {
  Snapshot snapshot = valid_snapshot();
  damage(snapshot);
  try {
    snapshot.validate();
  } catch (const SnapshotError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("snapshot: a complete one is valid") {
  CHECK(error_after([](Snapshot&) {}) == "");
}

TEST_CASE("snapshot: an error names what is wrong, where, and the value") {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  struct Case {
    std::function<void(Snapshot&)> damage;
    std::string text;
  };
  const Case cases[] = {
      {[](Snapshot& s) { s.objects.load[1] = -2.5; }, "load of object 1 is -2.5"},
      {[&](Snapshot& s) { s.objects.load[2] = nan; }, "load of object 2 is nan"},
      {[&](Snapshot& s) { s.objects.load[0] = infinity; }, "load of object 0 is inf"},
      {[](Snapshot& s) { s.objects.pe[2] = 2; }, "PE of object 2 refers to 2, but there are only 2"},
      {[](Snapshot& s) { s.objects.bytes.pop_back(); }, "objects.bytes has 2 elements, expected 3"},
      {[](Snapshot& s) { s.objects.position.resize(1); }, "objects.position has 1 elements, expected 3"},
      {[&](Snapshot& s) {
         s.objects.position.assign(3, {0, float(nan), 0});
       },
       "position of object 0 is not finite"},
      {[](Snapshot& s) { s.objects.subphase_count = 2; }, "objects.subphases has 0 elements, expected 6"},
      {[](Snapshot& s) { s.objects.subphase_count = 2, s.objects.subphases = {0, 0, 0, -1, 0, 0}; },
       "a subphase of object 1 is -1"},
      {[](Snapshot& s) {
         s.objects.counter_count = 1, s.objects.counters = {0, 0, -1};
       },
       "a counter of object 2 is -1"},
      {[](Snapshot& s) { s.pes = {}; }, "there are no PEs"},
      {[](Snapshot& s) { s.pes.speed[1] = 0; }, "speed of PE 1 is 0"},
      {[&](Snapshot& s) { s.pes.background_s[0] = nan; }, "background load of PE 0 is nan"},
      {[](Snapshot& s) { s.graph.to[1] = 3; }, "edge 1 refers to 3, but there are only 3"},
      {[](Snapshot& s) { s.graph.bytes[0] = -8; }, "bytes of edge 0 is -8"},
      {[](Snapshot& s) { s.graph.first[1] = 3; }, "graph.first must rise from 0 to the number of edges, 2"},
      {[](Snapshot& s) { s.graph.first.pop_back(); }, "graph.first has 3 elements, expected 4"},
      {[](Snapshot& s) { s.hypergraph.pin[1] = 3; }, "hyperedge 0 refers to 3, but there are only 3"},
      {[](Snapshot& s) { s.hypergraph.pin[3] = 0; }, "hyperedge 1 joins object 0 twice"},
      {[](Snapshot& s) { std::swap(s.hypergraph.pin[0], s.hypergraph.pin[1]); },
       "the objects that hyperedge 0 joins do not rise"},
      {[&](Snapshot& s) { s.hypergraph.bytes[1] = float(nan); }, "bytes of hyperedge 1 is nan"},
      {[](Snapshot& s) { s.hypergraph.first[1] = 6; },
       "hypergraph.first must rise from 0 to the number of pins, 5"},
      {[](Snapshot& s) { s.hypergraph.first.pop_back(); }, "hypergraph.first has 2 elements, expected 3"},
      {[](Snapshot& s) { s.hypergraph.first.clear(); },
       "hypergraph.pin (of a hypergraph without hyperedges) has 5 elements, expected 0"},
      {[](Snapshot& s) { s.blocks.of_object[2] = 2; },
       "the block of object 2 refers to 2, but there are only 2"},
      {[](Snapshot& s) { s.blocks.home[1] = 2; }, "the home of block 1 refers to 2, but there are only 2"},
      {[](Snapshot& s) { s.blocks.of_object.pop_back(); }, "blocks.of_object has 2 elements, expected 3"},
      {[](Snapshot& s) { s.blocks.home.pop_back(); }, "blocks.home has 1 elements, expected 2"},
      {[](Snapshot& s) { s.blocks.of_object.clear(); },
       "blocks.bytes (of blocks that nobody reads) has 2 elements, expected 0"},
      {[&](Snapshot& s) { s.interval_s = nan; }, "the interval is nan s"},
      {[](Snapshot& s) { s.topology.parent[2] = 2; }, "parent of topology vertex 2 refers to 2"},
      {[](Snapshot& s) { s.topology.vertex_of_pe[0] = 3; }, "topology vertex of PE 0 refers to 3"},
  };
  for (const Case& c : cases) {
    const std::string error = error_after(c.damage);
    CAPTURE(error);
    CAPTURE(c.text);
    CHECK(error.find(c.text) != std::string::npos);
  }
}

TEST_CASE("snapshot: rows of the graph are sorted, equal edges added up, unknown ends refused") {
  const std::vector<CommEdge> edges{{2, 0, 1, 1}, {0, 2, 10, 1}, {0, 1, 100, 2}, {0, 2, 5, 3}};
  const CommGraph graph = make_comm_graph(3, edges);
  CHECK(graph.first == std::vector<std::uint64_t>{0, 2, 2, 3});
  CHECK(graph.to == std::vector<ObjectIndex>{1, 2, 0});
  CHECK(graph.bytes == std::vector<float>{100, 15, 1});
  CHECK(graph.messages == std::vector<std::uint32_t>{2, 4, 1});
  CHECK_THROWS_AS(make_comm_graph(2, edges), SnapshotError);
}

TEST_CASE("snapshot: at most 64 bytes an object and 12 an edge") {
  const test::Kind kind{"large", 10'000, 1};
  const Snapshot snapshot = test::make_snapshot(kind, 1);
  REQUIRE(snapshot.objects.position.size() == kind.objects);
  REQUIRE(snapshot.graph.edge_count() > 3 * kind.objects);
  CHECK(snapshot.memory_bytes() <= 64 * kind.objects + 12 * snapshot.graph.edge_count());
}

TEST_CASE("snapshot: hyperedges join each object once, in rising order") {
  const std::vector<Hyperedge> hyperedges{{{2, 0, 1}, 4}, {{}, 1}, {{1}, 0.5}};
  const Hypergraph made = make_hypergraph(3, hyperedges);
  CHECK(made.first == std::vector<std::uint64_t>{0, 3, 3, 4});
  CHECK(made.pin == std::vector<ObjectIndex>{0, 1, 2, 1});
  CHECK(made.bytes == std::vector<float>{4, 1, 0.5f});
  CHECK_FALSE(make_hypergraph(3, {}).empty());
  const std::vector<Hyperedge> twice{{{0, 1}, 1}, {{2, 1, 2}, 1}}, beyond{{{0, 3}, 1}};
  CHECK_THROWS_WITH_AS(make_hypergraph(3, twice), "snapshot: hyperedge 1 joins object 2 twice",
                       SnapshotError);
  CHECK_THROWS_WITH_AS(make_hypergraph(3, beyond), "snapshot: hyperedge 0 refers to 3, but there are only 3",
                       SnapshotError);
}
