// SPDX-License-Identifier: Apache-2.0
// What processes that decide together know and exchange, with threads in their place.
// tests/job/net/parallel_lb.cpp tests the libraries.
#include "skein/lb/parallel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <string>

#include "lb/kernel/neighbours.hpp"
#include "lb/parallel/problem.hpp"
#include "skein/lb/metrics.hpp"
#include "tests/unit/lb/make_snapshot.hpp"
#include "tests/unit/lb/thread_team.hpp"

using namespace skein::lb;

namespace {

// Calls `f` on each process of a team of `processes`, with its part of the snapshot.
void on_each_process(const Snapshot& snapshot, std::size_t processes,
                     const std::function<void(const SnapshotPart&, Team&)>& f) {
  on_thread_team(processes, [&](Team& team) {
    const auto edge = [&](std::size_t process) {
      return static_cast<PeIndex>(process * snapshot.pe_count() / processes);
    };
    f(part_of(snapshot, edge(team.rank()), edge(team.rank() + 1), team), team);
  });
}

Snapshot numbered(Snapshot snapshot) {
  std::iota(snapshot.objects.id.begin(), snapshot.objects.id.end(), std::uint64_t{0});
  return snapshot;
}

Assignment decided(const Snapshot& snapshot, const char* strategy, std::size_t processes) {
  Assignment pe_of(snapshot.object_count(), ~PeIndex{0});
  on_each_process(snapshot, processes, [&](const SnapshotPart& part, Team& team) {
    const StepPlan plan = decide_in_team(parse_strategy(strategy), part, 5, team);
    for (std::size_t i = 0; i < part.object_count(); ++i)
      pe_of[part.objects.id[i]] = plan.decision.pe_of[i];  // each thread writes elements of its own
  });
  return pe_of;
}

}  // namespace

TEST_CASE("parallel: parts have each object once, with its own edges and no others") {
  const Snapshot snapshot = numbered(test::make_snapshot(test::Kind{"many objects", 500, 7}, 3));
  for (const std::size_t processes : {1, 2, 3, 7}) {
    std::vector<std::uint64_t> id_of(snapshot.object_count(), ~std::uint64_t{0});
    std::vector<std::size_t> counts(processes);
    on_each_process(snapshot, processes, [&](const SnapshotPart& part, Team& team) {
      counts[team.rank()] = part.object_count();
      for (std::size_t i = 0; i < part.object_count(); ++i)
        id_of[part.first[team.rank()] + i] = part.objects.id[i];
    });
    CHECK(std::accumulate(counts.begin(), counts.end(), std::size_t{0}) == snapshot.object_count());
    if (processes > 1) CHECK(std::ranges::max(counts) < snapshot.object_count());
    std::vector<std::uint64_t> sorted = id_of;
    std::ranges::sort(sorted);
    CHECK(sorted == snapshot.objects.id);
    on_each_process(snapshot, processes, [&](const SnapshotPart& part, Team&) {
      for (std::size_t i = 0; i < part.object_count(); ++i) {
        std::map<std::uint64_t, float> here, there;
        for (std::uint64_t e = part.graph.first[i]; e < part.graph.first[i + 1]; ++e)
          here[id_of[part.graph.to[e]]] = part.graph.bytes[e];
        const std::uint64_t id = part.objects.id[i];
        for (std::uint64_t e = snapshot.graph.first[id]; e < snapshot.graph.first[id + 1]; ++e)
          there[snapshot.graph.to[e]] = snapshot.graph.bytes[e];
        CHECK(here == there);
      }
    });
  }
}

TEST_CASE("parallel: an edge to an object that is nowhere drops out, and those to one object are added up") {
  Meeting meeting(1);
  ThreadTeam team(0, meeting);
  MeasuredPart measured;
  measured.objects = {{.id = 40, .pe = 0, .load = 1}, {.id = 50, .pe = 1, .load = 1}};
  measured.edges = {{0, 50, 7, 2}, {0, 60, 100, 1}, {0, 50, 8, 3}};
  measured.has_edges = true;
  measured.node_of_pe = {0, 0};
  const SnapshotPart part = make_part(measured, team);
  CHECK(part.graph.first == std::vector<std::uint64_t>{0, 1, 1});
  CHECK(part.graph.to == std::vector<ObjectIndex>{1});
  CHECK(part.graph.bytes == std::vector<float>{15});
  CHECK(part.graph.messages == std::vector<std::uint32_t>{5});
}

TEST_CASE("parallel: partners are those of either direction, with the same bytes at both ends") {
  const Snapshot snapshot = numbered(test::make_snapshot(test::Kind{"many objects", 300, 7}, 4));
  const Neighbours links(snapshot);
  for (const std::size_t processes : {1, 2, 3, 7}) {
    std::vector<std::uint64_t> id_of(snapshot.object_count());
    on_each_process(snapshot, processes, [&](const SnapshotPart& part, Team& team) {
      for (std::size_t i = 0; i < part.object_count(); ++i)
        id_of[part.first[team.rank()] + i] = part.objects.id[i];
    });
    on_each_process(snapshot, processes, [&](const SnapshotPart& part, Team& team) {
      const PartNeighbours rows = part_neighbours(part, team);
      for (std::size_t i = 0; i < part.object_count(); ++i) {
        std::map<std::uint64_t, double> here, there;
        for (std::uint64_t e = rows.first[i]; e < rows.first[i + 1]; ++e)
          here[id_of[rows.to[e]]] = rows.bytes[e];
        for (const Neighbours::Link& link : links.of(static_cast<ObjectIndex>(part.objects.id[i])))
          there[link.object] += link.bytes;
        CHECK(here.size() == there.size());
        for (const auto& [id, bytes] : there) CHECK(here[id] == doctest::Approx(bytes));
      }
    });
  }
}

// Objects of 100, 200 and 600 bytes, 300 on average, and edges of 10 and 5 bytes. At migration 2 moving them
// costs 2 x 10 x (1/3, 2/3, 2) = (20/3, 40/3, 40). The graph stores each edge twice, so all adds up to 2 x 15
// + 60 = 90.
TEST_CASE("parallel: moving an object costs by its own bytes, however the objects are divided") {
  Snapshot snapshot = numbered(test::make_snapshot(2, {1, 1, 1}, {0, 0, 1}));
  snapshot.graph = make_comm_graph(3, std::vector<CommEdge>{{0, 1, 10}, {1, 2, 5}});
  const auto of_sum = [](double part) {
    return static_cast<std::int32_t>(std::round((1 << 29) * (part / 90)));
  };
  const auto costs = [&](std::size_t processes) {
    std::vector<std::int32_t> found(3);
    on_each_process(snapshot, processes, [&](const SnapshotPart& part, Team& team) {
      const PartitionProblem problem = make_part_problem(part, {.graph = true, .migration = 2.0}, team);
      for (std::size_t i = 0; i < part.object_count(); ++i)
        found[part.objects.id[i]] = problem.move_cost[i];  // each thread writes elements of its own
    });
    return found;
  };
  for (const std::size_t processes : {1, 2}) {
    snapshot.objects.bytes = {100, 200, 600};
    CHECK(costs(processes) == std::vector{of_sum(20.0 / 3), of_sum(40.0 / 3), of_sum(40)});
    // If no sizes are known, all objects cost the same.
    snapshot.objects.bytes = {0, 0, 0};
    CHECK(costs(processes) == std::vector(3, of_sum(20)));
  }
}

TEST_CASE("parallel: what is decided does not depend on how many decide, where no library does") {
  for (const test::Kind& kind : test::all_kinds()) {
    Snapshot snapshot = numbered(test::make_snapshot(kind, 3));
    std::ranges::sort(snapshot.objects.pe);  // so that objects have the same numbers in any number of parts
    const Assignment rotated = parse_strategy("rotate:by=2").assign(snapshot, 5);
    const Assignment drawn = decided(snapshot, "random", 1);
    for (const std::size_t processes : {2, 3, 7}) {
      CHECK(decided(snapshot, "rotate:by=2", processes) == rotated);
      CHECK(decided(snapshot, "random", processes) == drawn);
    }
  }
}

TEST_CASE("parallel: all processes know when each PE is done, and whether anything moves") {
  const Snapshot snapshot = numbered(
      test::make_snapshot(test::Kind{"pinned, mixed speeds, background", 150, 11, 0.3, true, true}, 3));
  const Assignment pe_of = decided(snapshot, "random", 3);
  const std::vector<double> before = finish_times(snapshot, snapshot.objects.pe),
                            after = finish_times(snapshot, pe_of);
  on_each_process(snapshot, 3, [&](const SnapshotPart& part, Team& team) {
    const StepPlan plan = decide_in_team(parse_strategy("random"), part, 5, team);
    for (std::size_t p = 0; p < before.size(); ++p) {
      CHECK(plan.before.of_pe[p] == doctest::Approx(before[p]));
      CHECK(plan.after.of_pe[p] == doctest::Approx(after[p]));
    }
    CHECK(plan.before.perfect == doctest::Approx(perfect_finish(snapshot)));
    CHECK(plan.moves);
    CHECK_FALSE(decide_in_team(parse_strategy("rotate:by=0"), part, 5, team).moves);
  });
}

namespace {

Assignment fails_on_second(const SnapshotPart& part, const Options&, std::uint64_t, Team& team) {
  if (team.rank() == 1) throw std::runtime_error("no luck");
  return part.objects.pe;
}
Assignment sends_far_away(const SnapshotPart& part, const Options&, std::uint64_t, Team& team) {
  Assignment pe_of = part.objects.pe;
  if (team.rank() == 1) pe_of[0] = 1000;
  return pe_of;
}

}  // namespace

TEST_CASE("parallel: what one process finds wrong, all throw") {
  const Snapshot snapshot = numbered(test::make_snapshot(test::Kind{"many objects", 100, 6}, 3));
  for (const auto assign_part : {fails_on_second, sends_far_away}) {
    StrategyInfo info{.name = "mine", .summary = "", .keys = {}, .traits = from_library, .assign = nullptr};
    info.assign_part = assign_part;
    on_each_process(snapshot, 3, [&](const SnapshotPart& part, Team& team) {
      CHECK_THROWS_AS(decide_in_team(with_defaults(info), part, 5, team), std::exception);
    });
  }
}

TEST_CASE("parallel: strategies that are not say who is") {
  const std::string why = why_not_parallel(*find_strategy("greedy"));
  CHECK(why.find("decides on one PE") != std::string::npos);
  for (const char* name : {"zoltan", "scotch", "rcb", "sfc", "random"}) {
    CHECK(why.find(name) != std::string::npos);
    const bool parallel = find_strategy(name)->assign_part != nullptr;
    CHECK(parallel);
  }
  CHECK(why_not_parallel(*find_strategy("random")).empty());
}
