// SPDX-License-Identifier: Apache-2.0
// Checks strategies with by_level=1, which balance each level by itself.
#include <doctest/doctest.h>

#include <string>

#include "lb/kernel/levels.hpp"
#include "skein/lb/compare.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/planner.hpp"
#include "tests/unit/lb/make_snapshot.hpp"
#include "tests/unit/lb/strategy_error.hpp"

using namespace skein::lb;
using doctest::Approx;
using test::error_of;

namespace {

Snapshot levelled(std::size_t pes, const std::vector<double>& loads, const std::vector<PeIndex>& pe,
                  const std::vector<std::int32_t>& level) {
  Snapshot snapshot = test::make_snapshot(pes, loads, pe);
  snapshot.objects.level = level;
  return snapshot;
}

Assignment assigned(const std::string& strategy, const Snapshot& snapshot) {
  return parse_strategy(strategy).assign(snapshot, 1);
}

}  // namespace

// Level 0 is on PE 0, level 1 on PE 1. By their sums, 12 and 12, the PEs are level. But while a level runs,
// one PE waits for the other: 12 and then 12. With an object of each level on each PE it takes 6 and then 6.
TEST_CASE("by level: what is level in sum is not, where levels run one after another") {
  const Snapshot snapshot = levelled(2, {6, 6, 6, 6}, {0, 0, 1, 1}, {0, 0, 1, 1});
  for (const std::string name : {"refine", "greedy-refine", "move-split", "diffusion", "gossip"}) {
    CAPTURE(name);
    CHECK(assigned(name, snapshot) == snapshot.objects.pe);
    CHECK(assigned(name + ":by_level=0", snapshot) == snapshot.objects.pe);
    const Assignment pe_of = assigned(name + ":by_level=1", snapshot);
    CHECK(pe_of[0] != pe_of[1]);
    CHECK(pe_of[2] != pe_of[3]);
  }
}

// The levels alone have 8 and 0, and 0 and 6 on the PEs: averages 4 and 3. An object above 1.2 times the
// average is split.
TEST_CASE("by level: parts are split off objects of each level") {
  Snapshot snapshot = levelled(2, {8, 6}, {0, 1}, {0, 1});
  snapshot.objects.splittable = {1, 1};
  const Decision decision = parse_strategy("move-split:by_level=1").decide(snapshot, 1);
  CHECK(decision.pe_of == Assignment{0, 1});
  CHECK(decision.splits == std::vector<Split>{{0, 1, 0.5}, {1, 0, 0.5}});
  CHECK(parse_strategy("move-split").decide(snapshot, 1).splits.empty());  // 8 is below 1.2 times 7
}

// Level 0: 8 on PE 0, a quarter of which goes to PE 1: 6. Level 1: 2 on PE 1, all in two parts on PEs 0
// and 2.
TEST_CASE("by level: what levels take one after another, and who is idle") {
  Snapshot snapshot = levelled(4, {2, 8}, {1, 0}, {1, 0});
  snapshot.objects.splittable = {1, 1};
  const Merit merit = merit_of(snapshot, {{1, 0}, {{1, 1, 0.25}, {0, 0, 0.5}, {0, 2, 0.5}}}, CostModel{});
  CHECK(merit.levels_s == Approx(6 + 1));
  CHECK(merit.idle_pes == 1);
  snapshot.objects.level.clear();
  CHECK(merit_of(snapshot, {{1, 0}, {}}, CostModel{}).levels_s == 0);
  CHECK(merit_of(snapshot, {{1, 0}, {}}, CostModel{}).idle_pes == 2);
}

// Loads 6 and 3, background 3 on PE 1: 2 of it count to level 0, 1 to level 1. (6 + 2) / 2 = 4 of level 0
// for PE 0 and 2 for PE 1; (3 + 1) / 2 = 2 of level 1 for PE 0 and 1 for PE 1.
TEST_CASE("by level: a PE's background is beside levels by their share of the load") {
  Snapshot snapshot =
      levelled(2, std::vector<double>(9, 1), {0, 0, 0, 0, 0, 0, 1, 1, 1}, {0, 0, 0, 0, 0, 0, 7, 7, 7});
  snapshot.pes.background_s = {0, 3};
  const Assignment pe_of = assigned("greedy:by_level=1", snapshot);
  CHECK(std::count(pe_of.begin(), pe_of.begin() + 6, 0) == 4);
  CHECK(std::count(pe_of.begin() + 6, pe_of.end(), 0) == 2);
}

TEST_CASE("by level: a level is a snapshot of its objects, and those of none are one more") {
  Snapshot snapshot = levelled(3, {1, 2, 3, 4, 5}, {0, 1, 2, 0, 1}, {4, 2, 4, kNoLevel, 4});
  snapshot.objects.migratable[2] = 0;
  snapshot.objects.splittable = {0, 0, 1, 0, 0};
  snapshot.objects.position = {{{0, 0, 0}}, {{1, 0, 0}}, {{2, 0, 0}}, {{3, 0, 0}}, {{4, 0, 0}}};
  snapshot.objects.subphase_count = 2;
  snapshot.objects.subphases = {0, 1, 10, 11, 20, 21, 30, 31, 40, 41};
  const std::vector<CommEdge> edges = {{0, 2, 8, 1}, {0, 1, 16, 2}, {4, 0, 32, 3}};
  snapshot.graph = make_comm_graph(5, edges);
  const std::vector<Hyperedge> hyperedges = {{{0, 1, 4}, 64}, {{0, 1}, 128}};
  snapshot.hypergraph = make_hypergraph(5, hyperedges);
  snapshot.step = 5;

  const std::vector<Level> levels = levels_of(snapshot);
  REQUIRE(levels.size() == 3);
  CHECK(levels[0].objects == std::vector<ObjectIndex>{3});
  CHECK(levels[1].objects == std::vector<ObjectIndex>{1});
  const auto& [objects, finest] = levels[2];
  CHECK(objects == std::vector<ObjectIndex>{0, 2, 4});
  CHECK_NOTHROW(finest.validate());
  CHECK(finest.objects.load == std::vector<double>{1, 3, 5});
  CHECK(finest.objects.pe == std::vector<PeIndex>{0, 2, 1});
  CHECK(finest.objects.migratable == std::vector<std::uint8_t>{1, 0, 1});
  CHECK(finest.objects.splittable == std::vector<std::uint8_t>{0, 1, 0});
  CHECK(finest.objects.position[1][0] == 2);
  CHECK(finest.objects.subphases == std::vector<float>{0, 1, 20, 21, 40, 41});
  CHECK(finest.graph.first == std::vector<std::uint64_t>{0, 1, 1, 2});
  CHECK(finest.graph.to == std::vector<ObjectIndex>{1, 0});
  CHECK(finest.graph.bytes == std::vector<float>{8, 32});
  REQUIRE(finest.hypergraph.hyperedge_count() == 1);
  CHECK(finest.hypergraph.pin == std::vector<ObjectIndex>{0, 2});
  CHECK(finest.step == 5);
}

// Level by level, PE 1 would get an object of each level, 200 bytes.
TEST_CASE("by level: a memory limit is one for all levels together") {
  Snapshot snapshot = levelled(2, {1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 1, 1});
  snapshot.pes.memory_bytes = {400, 150};
  const Assignment pe_of = assigned("greedy-refine:by_level=1", snapshot);
  CHECK(std::count(pe_of.begin(), pe_of.end(), 1) == 1);
}

TEST_CASE("by level: pinned objects stay, and the same seed gives the same") {
  for (const test::Kind& kind : test::all_kinds()) {
    Snapshot snapshot = test::make_snapshot(kind, 3);
    for (std::size_t i = 0; i < snapshot.object_count(); ++i)
      snapshot.objects.level.push_back(static_cast<std::int32_t>(i % 4) - 1);
    for (const StrategyInfo& info : strategies()) {
      if (!why_unavailable(info).empty() || !with_defaults(info).missing_key().empty()) continue;
      if (info.traits & (uses_scotch | uses_metis | uses_zoltan)) continue;
      CAPTURE(kind.name);
      CAPTURE(info.name);
      const std::string text = std::string(info.name) + ":by_level=1";
      const Assignment pe_of = assigned(text, snapshot);
      CHECK(pe_of == assigned(text, snapshot));
      for (std::size_t i = 0; i < pe_of.size(); ++i)
        if (!snapshot.objects.migratable[i]) CHECK(pe_of[i] == snapshot.objects.pe[i]);
      if (!(info.traits & never_worse) || snapshot.object_count() == 0) continue;
      for (const Level& level : levels_of(snapshot)) {
        Assignment its;
        for (const ObjectIndex i : level.objects) its.push_back(pe_of[i]);
        CHECK(largest_finish(level.alone, its) <=
              largest_finish(level.alone, level.alone.objects.pe) * (1 + 1e-12));
      }
    }
  }
}

// Levels 0 and 1 take 12 s each as they are, and 6 s each balanced. The message between PEs takes 1 s at each
// of its two PEs.
TEST_CASE("by level: the model of auto adds levels up, and chooses among strategies that go level by level") {
  Snapshot snapshot = levelled(2, {6, 6, 6, 6}, {0, 0, 1, 1}, {0, 0, 1, 1});
  const auto chosen = [&](bool may_split) {
    const std::vector<Selection> candidates = candidates_for(snapshot);
    return choose(snapshot, {},
                  {.candidates = candidates, .cost = {}, .horizon = {10}, .may_split = may_split});
  };
  const Choice by_level = chosen(false);
  CHECK(by_level.rows[0].step_s == Approx(12 + 12));
  CHECK(by_level.row().step_s == Approx(6 + 6));
  CHECK(by_level.row().strategy.ends_with(":by_level=1"));
  CHECK(by_level.assignment[0] != by_level.assignment[1]);
  CHECK(by_level.assignment[2] != by_level.assignment[3]);
  CHECK(stepwise_candidates_for(snapshot).empty());

  const std::vector<CommEdge> edges = {{0, 2, 1e9}};
  snapshot.graph = make_comm_graph(4, edges);
  CHECK(interval_seconds(snapshot, {{0, 0, 1, 1}, {}}, {.remote_byte_s = 1e-9}) == Approx(12 + 12 + 1));
  snapshot.graph = {};

  snapshot.objects.level.clear();
  CHECK(chosen(false).row().strategy == "none");
  CHECK(!stepwise_candidates_for(snapshot).empty());

  // Level 0 has 8 s on PE 0, level 1 has 6 s on PE 1: only parts of the objects can level them.
  snapshot = levelled(2, {8, 6}, {0, 1}, {0, 1});
  snapshot.objects.splittable = {1, 1};
  CHECK(chosen(false).row().strategy == "none");
  CHECK(chosen(true).row().strategy == "move-split:by_level=1");
  CHECK(chosen(true).row().step_s == Approx(4 + 3));
}

TEST_CASE("by level: it is a key of every strategy, 0 or 1, and needs levels") {
  CHECK(parse_strategy("rotate:by_level=1,by=2").by_level);
  CHECK(parse_strategy("rotate:by=2,by_level=1").options.integer("by") == 2);
  CHECK(!parse_strategy("greedy").by_level);
  CHECK(error_of("greedy:by_level=2") ==
        "strategy 'greedy': key 'by_level' is '2'; it must be an integer from 0 to 1");
  CHECK(
      error_of("greedy:by_level") ==
      "strategy 'greedy': 'by_level' is not of the form key=value (did you mean by_level?); valid: by_level");
  CHECK(error_of("greedy:by_level=1,by_level=1") == "strategy 'greedy': key 'by_level' is given twice");
  CHECK(
      error_of("hierarchical:node=refine:by_level=1") ==
      "strategy 'hierarchical': key 'node' is 'refine:by_level=1': by_level is a key of the strategy that is "
      "named first");
  CHECK_THROWS_WITH_AS(assigned("refine:by_level=1", test::make_snapshot(2, {1, 1}, {0, 0})),
                       "strategy 'refine': by_level=1 needs levels of the objects, which were not given: "
                       "elements of native programs have them, by lb_level()",
                       MissingData);
  Snapshot short_one = levelled(2, {1, 1}, {0, 0}, {0});
  CHECK_THROWS_WITH_AS(short_one.validate(), "snapshot: objects.level has 1 elements, expected 2",
                       SnapshotError);
}

TEST_CASE("by level: no PE decides for itself alone") {
  PlannerConfig config;
  config.strategy = parse_strategy("diffusion");
  CHECK(config.is_distributed());
  config.strategy = parse_strategy("diffusion:by_level=1");
  CHECK(!config.is_distributed());
}
