// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/generate.hpp"
#include "skein/lb/metrics.hpp"
#include "tests/unit/lb/partitioners.hpp"

using namespace skein::lb;

namespace {

// Returns `groups` groups of `size` objects of load 1, dealt out to the PEs in turn. One hyperedge for each
// object of a group joins the group; a chain of hyperedges of one byte joins the first objects of
// neighbouring groups.
Snapshot make_joined_groups(std::size_t groups, std::size_t size, std::size_t pes) {
  Snapshot snapshot;
  snapshot.pes = uniform_pes(pes);
  std::vector<Hyperedge> hyperedges;
  for (std::size_t g = 0; g < groups; ++g) {
    Hyperedge joined{{}, 1000};
    for (std::size_t k = 0; k < size; ++k)
      joined.objects.push_back(
          snapshot.add_object({.id = g * size + k, .pe = static_cast<PeIndex>(k % pes), .load = 1}));
    hyperedges.insert(hyperedges.end(), size, joined);
    if (g > 0)
      hyperedges.push_back({{joined.objects[0], static_cast<ObjectIndex>(joined.objects[0] - size)}, 1});
  }
  snapshot.hypergraph = make_hypergraph(snapshot.object_count(), hyperedges);
  return snapshot;
}

std::string missing_data(const Snapshot& snapshot) {
  try {
    parse_strategy("hyper").assign(snapshot, 1);
  } catch (const MissingData& error) {
    return error.what();
  }
  return "";
}

}  // namespace

// The best cut: eight groups are two on each of four PEs. Neighbours in the chain share a PE, so that three
// of the seven links of one byte are cut.
TEST_CASE("hyper: groups stay together, and of the links between them the fewest are cut") {
  if (!test::available("hyper")) return;
  const Snapshot snapshot = make_joined_groups(8, 6, 4);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Assignment pe_of = parse_strategy("hyper").assign(snapshot, seed);
    CHECK(finish_times(snapshot, pe_of) == std::vector<double>{12, 12, 12, 12});
    CHECK(connectivity(snapshot, pe_of).cut_bytes == 3);
    CHECK(connectivity(snapshot, pe_of).cut_hyperedges == 3);
  }
}

// Each object is joined by the six equal hyperedges of its group. With three pins an object about half are
// left, and groups still stay together.
TEST_CASE("hyper: a sample of the interactions suffices") {
  if (!test::available("hyper")) return;
  const Snapshot snapshot = make_joined_groups(8, 6, 4);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Assignment pe_of = parse_strategy("hyper:pins=3").assign(snapshot, seed);
    CHECK(finish_times(snapshot, pe_of) == std::vector<double>{12, 12, 12, 12});
    CHECK(connectivity(snapshot, pe_of).cut_bytes < 1000);
  }
}

// Four groups and a fifth on PE 0: repartitioning to 5, 5, 5, 5 takes three moves at least.
TEST_CASE("hyper: repartitioning moves few objects") {
  if (!test::available("hyper")) return;
  Snapshot snapshot = make_joined_groups(5, 4, 4);
  for (std::size_t i = 0; i < 20; ++i) snapshot.objects.pe[i] = static_cast<PeIndex>(i / 4 % 4);
  const Assignment pe_of = parse_strategy("hyper:approach=repartition,migration=10").assign(snapshot, 1);
  CHECK(finish_times(snapshot, pe_of) == std::vector<double>{5, 5, 5, 5});
  CHECK(movement(snapshot, pe_of).objects == 3);
}

TEST_CASE("hyper: a pinned object draws those that it interacts with") {
  if (!test::available("hyper")) return;
  Snapshot snapshot = make_joined_groups(2, 6, 2);
  snapshot.objects.pe.assign(12, 0);
  snapshot.objects.pe[0] = 1;
  snapshot.objects.migratable[0] = 0;
  const Assignment pe_of = parse_strategy("hyper").assign(snapshot, 1);
  CHECK(pe_of == Assignment{1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("hyper: without hyperedges, objects that exchange messages interact") {
  if (!test::available("hyper")) return;
  const Snapshot snapshot = test::make_groups(8, 4, 4);
  const Assignment pe_of = parse_strategy("hyper").assign(snapshot, 1);
  CHECK(finish_times(snapshot, pe_of) == std::vector<double>{8, 8, 8, 8});
  CHECK(communication(snapshot, pe_of).remote_bytes == 4);
}

// Hyperedges take precedence where the messages contradict them.
TEST_CASE("hyper: hyperedges go before messages") {
  if (!test::available("hyper")) return;
  Snapshot snapshot = make_joined_groups(2, 6, 2);
  std::vector<CommEdge> edges;
  for (ObjectIndex i = 0; i < 6; ++i) edges.push_back({i, i + 6, 1e6});
  snapshot.graph = make_comm_graph(12, edges);
  CHECK(connectivity(snapshot, parse_strategy("hyper").assign(snapshot, 1)).cut_bytes == 1);
}

TEST_CASE(
    "hyper: with nothing that interacts only the loads count; with nothing told it says what it needs") {
  if (!test::available("hyper")) return;
  Snapshot snapshot = test::make_snapshot(2, {1, 1, 1, 1}, {0, 0, 0, 0});
  CHECK(
      missing_data(snapshot) ==
      "strategy 'hyper' needs the interactions of the objects: hyperedges, which were not given, or in their "
      "place the communication graph, which was not recorded");
  const std::vector<Hyperedge> alone{{{2}, 5}, {{}, 5}};
  snapshot.hypergraph = make_hypergraph(4, alone);
  CHECK(finish_times(snapshot, parse_strategy("hyper").assign(snapshot, 1)) == std::vector<double>{2, 2});
}

// N-body codes divide bodies into boxes of equal load (ORB), which have next to no imbalance. Within its
// tolerance, hyper must cut a cluster whose density falls by orders of magnitude less than boxes do, also
// from a sample of 40 % of the pins (20 an object).
TEST_CASE("hyper: a cluster of bodies is cut less than by boxes of equal load") {
  if (!test::available("hyper")) return;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Snapshot snapshot = parse_generator("plummer").generate({.objects = 4000, .pes = 16, .seed = seed});
    REQUIRE(snapshot.hypergraph.pin.size() > 70000);
    const auto cut = [&](const char* strategy) {
      const Assignment pe_of = parse_strategy(strategy).assign(snapshot, seed);
      CHECK(percent_imbalance(snapshot, pe_of) <= 5.01);
      return connectivity(snapshot, pe_of).cut_bytes;
    };
    const double boxes = cut("rcb");
    CHECK(cut("hyper") < 0.85 * boxes);
    CHECK(cut("hyper:pins=8") < 0.95 * boxes);
  }
}
