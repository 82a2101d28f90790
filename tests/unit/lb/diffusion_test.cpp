// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "lb/kernel/pe_graph.hpp"
#include "skein/lb/distributed.hpp"
#include "skein/lb/generate.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

TEST_CASE("PE graph: ring, mesh and hypercube of a few PEs") {
  const auto graph_of = [](std::string_view shape, std::size_t pes) {
    return make_pe_graph(shape, test::make_snapshot(pes, {}, {}));
  };
  for (std::string_view shape : {"ring", "mesh", "hypercube"}) {
    CHECK(graph_of(shape, 1) == PeGraph{{}});
    CHECK(graph_of(shape, 2) == PeGraph{{1}, {0}});
  }
  CHECK(graph_of("ring", 4) == PeGraph{{1, 3}, {0, 2}, {1, 3}, {0, 2}});
  CHECK(graph_of("mesh", 6) == PeGraph{{1, 3}, {0, 2, 4}, {1, 5}, {0, 4}, {1, 3, 5}, {2, 4}});
  CHECK(graph_of("hypercube", 5) == PeGraph{{1, 2, 4}, {0, 3}, {0, 3}, {1, 2}, {0}});
}

TEST_CASE("PE graph: PEs whose objects talk are neighbours, in both directions") {
  Snapshot snapshot = test::make_snapshot(3, {1, 1, 1}, {0, 0, 2});
  const std::vector<CommEdge> edges{{0, 1, 5}, {2, 1, 5}};
  snapshot.graph = make_comm_graph(3, edges);
  CHECK(make_pe_graph("comm", snapshot) == PeGraph{{2}, {}, {0}});
  // PE 1 has no objects: it would be left out.
  CHECK(make_pe_graph("known", snapshot) == PeGraph{{1, 2}, {0}, {0}});
  snapshot.graph = {};
  CHECK(make_pe_graph("known", snapshot) == make_pe_graph("hypercube", snapshot));
  CHECK_THROWS_AS(parse_strategy("diffusion:graph=comm").assign(snapshot, 1), MissingData);
}

// One link of weight 1/2: the first step moves half of the difference, 10 / 2 = 5.
TEST_CASE("diffusion: two PEs meet in the middle") {
  const Snapshot snapshot = test::make_snapshot(2, std::vector<double>(10, 1), std::vector<PeIndex>(10, 0));
  const Assignment pe_of = parse_strategy("diffusion").assign(snapshot, 1);
  CHECK(movement(snapshot, pe_of).objects == 5);
  CHECK(percent_imbalance(snapshot, pe_of) == 0);
}

// A line of three (mesh of 3): PE 2 gets its 4 of 12 through PE 1, which has no objects of its own at first.
TEST_CASE("diffusion: load passes through PEs between") {
  const Snapshot snapshot = test::make_snapshot(3, std::vector<double>(12, 1), std::vector<PeIndex>(12, 0));
  const Assignment pe_of = parse_strategy("diffusion:graph=mesh").assign(snapshot, 1);
  CHECK(finish_times(snapshot, pe_of) == std::vector<double>{4, 4, 4});
}

// Weight 1/2 and gamma 1/5: a tenth of the difference of 10 goes in the one step.
TEST_CASE("diffusion: gamma is the part of what evens out that goes in a step") {
  const Snapshot snapshot = test::make_snapshot(2, std::vector<double>(10, 1), std::vector<PeIndex>(10, 0));
  const Assignment pe_of = parse_strategy("diffusion:steps=1,gamma=0.2").assign(snapshot, 1);
  CHECK(movement(snapshot, pe_of).objects == 1);
}

// Objects in a row, which talk along it: the last PE's load goes to the next one only, though on a hypercube
// of eight PE 7 has 3, 5 and 6 as neighbours.
TEST_CASE("diffusion: neighbours are by default the PEs whose objects talk") {
  const Snapshot snapshot = parse_generator("pattern-d").generate({.objects = 400, .pes = 8});
  const Assignment pe_of = parse_strategy("diffusion:steps=1").assign(snapshot, 1);
  for (std::size_t i = 350; i < 400; ++i) CHECK((pe_of[i] == 6 || pe_of[i] == 7));
  CHECK(std::count(pe_of.begin() + 350, pe_of.end(), 6u) > 0);
}

// Each link is matched to within half of the lightest object at hand, at most the heaviest; so a PE misses
// the tolerance by at most one object a link.
TEST_CASE("diffusion: on every graph the result is within the tolerance and an object for each link") {
  for (const std::string shape : {"comm", "ring", "mesh", "hypercube"}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Snapshot snapshot = test::make_snapshot(test::Kind{"fine grain", 2400, 12}, seed);
      const Assignment pe_of = parse_strategy("diffusion:tolerance=1.005,graph=" + shape).assign(snapshot, 1);
      const std::vector<double> finish = finish_times(snapshot, pe_of);
      const PeGraph graph = make_pe_graph(shape, snapshot);
      CAPTURE(shape);
      CHECK(std::ranges::max(finish_times(snapshot, snapshot.objects.pe)) > 1.05 * perfect_finish(snapshot));
      for (PeIndex p = 0; p < 12; ++p) {
        CHECK(finish[p] <= 1.005 * perfect_finish(snapshot) + static_cast<double>(graph[p].size()));
      }
      CHECK(percent_imbalance(snapshot, pe_of) < percent_imbalance(snapshot, snapshot.objects.pe) / 2);
    }
  }
}

TEST_CASE("diffusion: every_step is a switch that makes one step of spreading at each sync point") {
  const Selection once = parse_strategy("diffusion:every_step");
  CHECK(once.acts_at_every_point());
  CHECK(parse_strategy("diffusion:every_step=yes,graph=ring").acts_at_every_point());
  CHECK_FALSE(parse_strategy("diffusion:every_step=no").acts_at_every_point());
  CHECK_FALSE(parse_strategy("diffusion").acts_at_every_point());
  CHECK_FALSE(parse_strategy("greedy").acts_at_every_point());
  CHECK_THROWS_AS(parse_strategy("diffusion:steps"), StrategyError);

  // A ring of eight PEs, 64 objects on the first: one step of spreading reaches its neighbours only.
  const Snapshot snapshot =
      skein::lb::test::make_snapshot(8, std::vector<double>(64, 1.0), Assignment(64, 0));
  const Assignment after = parse_strategy("diffusion:every_step,graph=ring").assign(snapshot, 1);
  std::vector<int> on(8, 0);
  for (const PeIndex pe : after) ++on[pe];
  CHECK(on[1] > 0);
  CHECK(on[7] > 0);
  CHECK(on[2] + on[3] + on[4] + on[5] + on[6] == 0);
  CHECK(after == parse_strategy("diffusion:steps=1,graph=ring").assign(snapshot, 1));
}

TEST_CASE("diffusion: a PE knows whom its objects send to, and where these are") {
  Snapshot snapshot = test::make_snapshot(3, {1, 1, 1}, {0, 0, 2});
  const std::vector<CommEdge> edges{{0, 1, 5}, {1, 2, 7}, {2, 0, 9}};
  snapshot.graph = make_comm_graph(3, edges);
  const std::vector<LocalPe> views = local_views(snapshot);
  REQUIRE(views[0].edges.size() == 2);
  CHECK(views[0].edges[0].pe == 0);
  CHECK(views[0].edges[1].from == 1);
  CHECK(views[0].edges[1].to == 2);
  CHECK(views[0].edges[1].pe == 2);
  CHECK(views[0].edges[1].bytes == 7);
  CHECK(views[0].partners() == std::vector<PeIndex>{2});
  CHECK(views[1].partners().empty());
  CHECK(views[2].partners() == std::vector<PeIndex>{0});
}

// 6 | 2 in objects of 1, and one of 2: two go. Objects 3 and 5 talk to PE 1, the others to each other.
TEST_CASE("diffusion: who talks to the neighbour goes first") {
  Snapshot snapshot = test::make_snapshot(2, {1, 1, 1, 1, 1, 1, 2}, {0, 0, 0, 0, 0, 0, 1});
  const std::vector<CommEdge> edges{{3, 6, 10}, {5, 6, 10}, {0, 1, 10}, {1, 0, 10}, {2, 4, 10}, {4, 2, 10}};
  snapshot.graph = make_comm_graph(7, edges);
  CHECK(parse_strategy("diffusion").assign(snapshot, 1) == Assignment{0, 0, 0, 1, 0, 1, 1});
}

// Ten in a row on PE 0, of which the last talks to PE 1 that lacks four. Object 0 has one partner only and so
// would lose least after object 9, were it not that what has gone draws its neighbours after it.
TEST_CASE("diffusion: objects that talk to each other go together, and one edge is cut") {
  Snapshot snapshot =
      test::make_snapshot(2, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
  std::vector<CommEdge> edges;
  for (ObjectIndex i = 0; i < 10; ++i) {
    edges.push_back({i, i + 1, 10});
    edges.push_back({i + 1, i, 10});
  }
  snapshot.graph = make_comm_graph(11, edges);
  const Assignment pe_of = parse_strategy("diffusion").assign(snapshot, 1);
  CHECK(pe_of == Assignment{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1});
  CHECK(communication(snapshot, pe_of).remote_bytes == 20);
}

// PE 0 - PE 1 - PE 2 in a row, all nine objects on the first. Threes of them talk: 0, 2, 4 and 1, 3, 5, which
// come to PE 1. That passes three on; by numbers alone these would be 0, 1, 2.
TEST_CASE("diffusion: whom an object talks to is known where it comes to") {
  Snapshot snapshot = test::make_snapshot(3, std::vector<double>(9, 1), Assignment(9, 0));
  std::vector<CommEdge> edges;
  for (const std::vector<ObjectIndex>& three : {std::vector<ObjectIndex>{0, 2, 4}, {1, 3, 5}, {6, 7, 8}})
    for (const ObjectIndex a : three)
      for (const ObjectIndex b : three)
        if (a != b) edges.push_back({a, b, 10});
  snapshot.graph = make_comm_graph(9, edges);
  const Assignment pe_of = parse_strategy("diffusion:graph=mesh").assign(snapshot, 1);
  CHECK(finish_times(snapshot, pe_of) == std::vector<double>{3, 3, 3});
  CHECK(communication(snapshot, pe_of).remote_bytes == 0);
}

// Without momentum four times the PEs of a ring take sixteen times the steps: a mode of wave number 1 loses
// 2/3 (1 - cos(2 pi / P)) = 4 pi^2 / (3 P^2) of itself in one. With it, about four times.
TEST_CASE("diffusion: on a ring rounds grow with the PEs, and not with their square") {
  const auto rounds_on = [](PeIndex pes) {
    const Snapshot snapshot =
        test::make_snapshot(pes, std::vector<double>(40 * pes, 1), Assignment(40 * pes, 0));
    const Selection strategy = parse_strategy("diffusion:graph=ring,steps=100000,tolerance=1.05");
    std::size_t rounds = 0;
    const Assignment pe_of =
        decide_in_one_process(snapshot, strategy.options, 1, strategy.info->begin, &rounds);
    CHECK(percent_imbalance(snapshot, pe_of) < 10);
    return static_cast<double>(rounds);
  };
  CHECK(rounds_on(96) < 8 * rounds_on(24));
}
