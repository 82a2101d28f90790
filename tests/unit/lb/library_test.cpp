// SPDX-License-Identifier: Apache-2.0
// What the strategies on partitioning libraries have in common.
#include <algorithm>
#include <cmath>

#include "lb/libraries/problem.hpp"
#include "skein/lb/metrics.hpp"
#include "tests/unit/lb/partitioners.hpp"

using namespace skein::lb;

namespace {

constexpr const char* kFresh[] = {"scotch",
                                  "scotch:flavour=quality",
                                  "scotch:flavour=recursive",
                                  "scotch-refine",
                                  "scotch-topo",
                                  "metis",
                                  "metis:method=recursive",
                                  "zoltan",
                                  "hyper"};

template <class Check>
void for_each_library_strategy(Check check) {
  for (const std::string name : kFresh) {
    if (!test::available(name.substr(0, name.find(':')))) continue;
    CAPTURE(name);
    check(parse_strategy(name));
  }
}

}  // namespace

TEST_CASE("libraries: a strategy without its library is listed, and naming it says what to install") {
  for (const StrategyInfo& info : strategies()) {
    const std::string reason = why_unavailable(info);
    const bool uses_library = info.traits & (uses_scotch | uses_metis | uses_zoltan);
    if (!uses_library) CHECK(reason.empty());
    if (reason.empty()) continue;
    CAPTURE(info.name);
    CHECK_THROWS_AS(parse_strategy(info.name), StrategyError);
    CHECK(reason.find("needs ") == 0);
  }
}

// Four groups of four objects on four PEs: a PE a group cuts the ring alone, 4 bytes; any other way of 4
// objects a PE splits a group, and cuts at least 2 x 3 x 1000 bytes. A tolerance of 5 % leaves 4 objects for
// each PE.
TEST_CASE("libraries: groups that talk among themselves are put together") {
  for_each_library_strategy([](const Selection& selection) {
    Snapshot snapshot = test::make_groups(4, 4, 4);
    // Give scotch-refine something to do: two objects are on wrong PEs.
    snapshot.objects.pe[0] = snapshot.objects.pe[4] = 3;
    const Assignment pe_of = selection.assign(snapshot, 5);
    CHECK(finish_times(snapshot, pe_of) == std::vector<double>{4, 4, 4, 4});
    CHECK(communication(snapshot, pe_of).remote_bytes == 4);
  });
}

// PE 0 is twice as fast, so of six objects of load 1 it gets 4 and PE 1 gets 2: groups of 4 and 2.
TEST_CASE("libraries: a faster PE gets more") {
  for_each_library_strategy([](const Selection& selection) {
    Snapshot snapshot = test::make_snapshot(2, {1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1});
    snapshot.pes.speed = {2, 1};
    snapshot.graph =
        make_comm_graph(6, std::vector<CommEdge>{{0, 1, 9}, {1, 2, 9}, {2, 3, 9}, {3, 0, 9}, {4, 5, 9}});
    CHECK(selection.assign(snapshot, 1) == Assignment{0, 0, 0, 0, 1, 1});
  });
}

// The background of PE 1 is worth two objects, and one object is pinned there: of the six objects of load 1,
// PE 1 should keep the pinned one and get one more, PE 0 four. (6 + 2) / 2 = 4 is the perfect finish time.
TEST_CASE("libraries: background and pinned objects count for their PE") {
  for_each_library_strategy([](const Selection& selection) {
    Snapshot snapshot = test::make_snapshot(2, {1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 1});
    snapshot.pes.background_s = {0, 2};
    snapshot.objects.migratable[5] = 0;
    snapshot.graph =
        make_comm_graph(6, std::vector<CommEdge>{{0, 1, 9}, {1, 2, 9}, {2, 3, 9}, {3, 0, 9}, {4, 5, 9}});
    const Assignment pe_of = selection.assign(snapshot, 1);
    CHECK(finish_times(snapshot, pe_of) == std::vector<double>{4, 4});
    CHECK(pe_of[5] == 1);
  });
}

// The partners of the pinned object decide which of six equal objects goes to PE 1: object 4. METIS knows no
// fixed vertices, and is not asked.
TEST_CASE("libraries: with fixed vertices, pinned objects draw their partners to them") {
  for (const char* name : {"scotch", "scotch-topo", "scotch-refine", "zoltan"}) {
    if (!test::available(name)) continue;
    CAPTURE(name);
    Snapshot snapshot = test::make_snapshot(2, {1, 1, 1, 1, 1}, {0, 0, 0, 0, 1});
    snapshot.objects.migratable[4] = 0;
    snapshot.pes.background_s = {0, 1};  // (5 + 1) / 2 = 3: PE 0 gets three objects, PE 1 one more
    snapshot.graph = make_comm_graph(5, std::vector<CommEdge>{{0, 1, 9}, {1, 2, 9}, {2, 0, 9}, {3, 4, 9}});
    CHECK(parse_strategy(name).assign(snapshot, 1) == Assignment{0, 0, 0, 1, 1});
  }
}

// One object as heavy as all others together: no partition is within the tolerance, and nothing finishes
// before the heavy one alone does, at 8; the others come to 8 on the PEs beside it.
TEST_CASE("libraries: a heavy object gets a PE for itself") {
  for_each_library_strategy([](const Selection& selection) {
    std::vector<double> loads(17, 0.5);
    loads[8] = 8;
    Snapshot snapshot = test::make_snapshot(3, loads, std::vector<PeIndex>(17, 0));
    std::vector<CommEdge> ring;
    for (ObjectIndex i = 0; i < 17; ++i) ring.push_back({i, (i + 1) % 17, 10});
    snapshot.graph = make_comm_graph(17, ring);
    CHECK(std::ranges::max(finish_times(snapshot, selection.assign(snapshot, 1))) == 8);
  });
}

TEST_CASE("libraries: a graph without an edge, and one in pieces") {
  for_each_library_strategy([](const Selection& selection) {
    Snapshot snapshot = test::make_snapshot(4, std::vector<double>(40, 1.0), std::vector<PeIndex>(40, 0));
    snapshot.graph = make_comm_graph(40, {});
    CHECK(percent_imbalance(snapshot, selection.assign(snapshot, 1)) <= 5 + 1e-9);
    std::vector<CommEdge> pairs;
    for (ObjectIndex i = 0; i < 40; i += 2) pairs.push_back({i, i + 1, 10});
    snapshot.graph = make_comm_graph(40, pairs);
    const Assignment pe_of = selection.assign(snapshot, 1);
    CHECK(percent_imbalance(snapshot, pe_of) <= 5 + 1e-9);
    CHECK(communication(snapshot, pe_of).remote_bytes == 0);
  });
}

TEST_CASE("libraries: more PEs than objects leave one object on each of as many PEs") {
  for_each_library_strategy([](const Selection& selection) {
    Snapshot snapshot = test::make_groups(1, 5, 1);
    snapshot.pes = uniform_pes(40);
    const Assignment pe_of = selection.assign(snapshot, 1);
    CHECK(std::ranges::max(finish_times(snapshot, pe_of)) == 1);
  });
}

// Few objects, and more PEs than they can fill: objects on a PE that gets no part are in none of the parts.
TEST_CASE("libraries: remapping objects from PEs that get nothing") {
  for (const char* name : {"scotch-refine:first=remap", "zoltan:approach=repartition"}) {
    if (!test::available(std::string_view(name).substr(0, std::string_view(name).find(':')))) continue;
    CAPTURE(name);
    const Selection selection = parse_strategy(name);
    for (const PeIndex pes : {3, 5, 6, 10, 11, 20, 51, 101}) {
      for (const ObjectIndex objects : {4, 6, 8, 12}) {
        CAPTURE(pes);
        CAPTURE(objects);
        Snapshot snapshot;
        snapshot.pes = uniform_pes(pes);
        snapshot.pes.background_s.back() = 1000;  // so that the objects there have to leave
        std::vector<CommEdge> edges;
        for (ObjectIndex i = 0; i < objects; ++i) {
          snapshot.add_object({.id = i, .pe = i % 2 ? pes - 1 : i % 3, .load = 1 + 0.1 * i, .bytes = 1});
          for (ObjectIndex d = 1; d <= 3; ++d) edges.push_back({i, (i + d) % objects, 10.0 * d});
        }
        snapshot.graph = make_comm_graph(objects, edges);
        for (const std::uint64_t seed : {1, 2, 3}) {
          const Assignment pe_of = selection.assign(snapshot, seed);
          CHECK(std::ranges::all_of(pe_of, [&](PeIndex pe) { return pe < pes - 1; }));
        }
      }
    }
  }
}

// Four objects, each alone on one of PEs 0 to 3 of ten, already stand as well as possible. With only as many
// parts as objects, the parts must go to the PEs that have the objects, wherever these are.
TEST_CASE("libraries: with more PEs than objects, those that have objects keep them") {
  if (!test::available("zoltan")) return;
  Snapshot snapshot = test::make_snapshot(10, {1, 1, 1, 1}, {5, 7, 8, 9});
  snapshot.graph = make_comm_graph(4, std::vector<CommEdge>{{0, 1, 9}, {1, 2, 9}, {2, 3, 9}});
  CHECK(parse_strategy("zoltan:approach=repartition,migration=100").assign(snapshot, 1) ==
        snapshot.objects.pe);
}

// Five groups of four on four PEs, one of which has two groups: three moves level them. The test changes only
// the price of a move: even at a million times the heaviest edge three objects move, since balance comes
// first.
TEST_CASE("libraries: whatever a move costs, as few objects move as balance takes") {
  for (const char* name :
       {"scotch-refine:first=remap,migration=", "zoltan:approach=repartition,migration="}) {
    if (!test::available(std::string_view(name).substr(0, std::string_view(name).find(':')))) continue;
    for (const char* migration : {"10", "1000", "1e6"}) {
      CAPTURE(name);
      CAPTURE(migration);
      Snapshot snapshot = test::make_groups(5, 4, 4);
      for (std::size_t i = 0; i < 20; ++i) snapshot.objects.pe[i] = static_cast<PeIndex>(i / 4 % 4);
      const Assignment pe_of = parse_strategy(std::string(name) + migration).assign(snapshot, 1);
      CHECK(finish_times(snapshot, pe_of) == std::vector<double>{5, 5, 5, 5});
      CHECK(movement(snapshot, pe_of).objects == 3);
    }
  }
}

// One edge is as heavy as all others together, and a move dearer than it.
TEST_CASE("libraries: weights and costs of moves add up in 32 bits") {
  Snapshot snapshot = test::make_snapshot(4, std::vector<double>(1000, 1.0), std::vector<PeIndex>(1000, 0));
  std::vector<CommEdge> edges{{0, 1, 999}};
  for (ObjectIndex i = 1; i < 999; ++i) edges.push_back({i, i + 1, 1});
  snapshot.graph = make_comm_graph(1000, edges);
  for (const double migration : {0.0, 1e-6, 0.37, 1.0, 1e6}) {
    CAPTURE(migration);
    const PartitionProblem problem = make_partition_problem(snapshot, Pinned::left_out, migration);
    REQUIRE(problem.move_cost.size() == 1000);
    REQUIRE(problem.edge_weight.size() == 2 * 999);
    double sum = 0;
    for (const std::int32_t weight : problem.edge_weight) sum += weight;
    for (const std::int32_t cost : problem.move_cost) sum += cost;
    CHECK(sum < 1 << 30);
    CHECK(std::ranges::min(problem.edge_weight) >= 1);
    const double heaviest = std::ranges::max(problem.edge_weight);
    CHECK(problem.move_cost[0] >= std::floor(migration * (heaviest - 1)));
  }
  CHECK(make_partition_problem(snapshot, Pinned::left_out).move_cost.empty());
}

// Objects of 100, 200 and 600 bytes, 300 on average, and edges of 10 and 5 bytes. At migration 2 moving them
// costs 2 x 10 x (1/3, 2/3, 2) = (20/3, 40/3, 40). The graph stores each edge twice, so all adds up to 2 x 15
// + 60 = 90.
TEST_CASE("libraries: moving an object costs by its own bytes") {
  Snapshot snapshot = test::make_snapshot(2, {1, 1, 1}, {0, 0, 1});
  snapshot.graph = make_comm_graph(3, std::vector<CommEdge>{{0, 1, 10}, {1, 2, 5}});
  const auto costs = [&] { return make_partition_problem(snapshot, Pinned::left_out, 2.0).move_cost; };
  const auto of_sum = [](double part) {
    return static_cast<std::int32_t>(std::round((1 << 29) * (part / 90)));
  };
  snapshot.objects.bytes = {100, 200, 600};
  CHECK(costs() == std::vector{of_sum(20.0 / 3), of_sum(40.0 / 3), of_sum(40)});
  CHECK(make_partition_problem(snapshot, Pinned::left_out, 2.0).edge_weight[0] == of_sum(10));
  // If no sizes are known, all objects cost the same.
  snapshot.objects.bytes = {0, 0, 0};
  CHECK(costs() == std::vector(3, of_sum(20)));
}

// A ring has 120 objects in a row on PE 0 and 40 on PE 1, so that some 40 must move, from one end of the row
// or the other. The objects of one half of the row are ten times as large, and stay, except for one at most.
TEST_CASE("libraries: what is large stays where others can move") {
  for (const std::string name : {"scotch-refine:first=remap", "zoltan:approach=repartition"}) {
    if (!test::available(name.substr(0, name.find(':')))) continue;
    for (const ObjectIndex large : {0, 60}) {
      CAPTURE(name);
      CAPTURE(large);
      std::vector<PeIndex> pe(160, 0);
      std::fill_n(pe.begin() + 120, 40, 1);
      Snapshot snapshot = test::make_snapshot(2, std::vector<double>(160, 1.0), pe);
      std::vector<CommEdge> edges;
      for (ObjectIndex i = 0; i < 160; ++i) edges.push_back({i, (i + 1) % 160, 1});
      snapshot.graph = make_comm_graph(160, edges);
      std::fill_n(snapshot.objects.bytes.begin() + large, 60, 1000);
      const Assignment pe_of = parse_strategy(name).assign(snapshot, 1);
      CHECK(std::ranges::max(finish_times(snapshot, pe_of)) <= 84);
      CHECK(movement(snapshot, pe_of).objects >= 36);
      CHECK(movement(snapshot, pe_of).bytes <= 100 * movement(snapshot, pe_of).objects + 900);
    }
  }
}

TEST_CASE("libraries: what they cannot count is refused in words") {
  CHECK_NOTHROW(require_countable(1 << 28, "edges"));
  CHECK_THROWS_WITH_AS(
      require_countable((1 << 28) + 1, "edges"),
      "partitioning libraries count in 32 bits, and there are more than 268435456 edges, which they "
      "cannot take; use refine-comm or bipart",
      StrategyError);
}
