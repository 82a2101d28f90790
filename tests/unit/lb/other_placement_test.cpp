// SPDX-License-Identifier: Apache-2.0
// Tries placements that the model considers equally good where PEs wait, and keeps those that take less time.
#include "lb/planner/other_placement.hpp"

#include <doctest/doctest.h>

#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

namespace {

constexpr CostModel kCost{.object_s = 0.001};
const Assignment kFirst{0, 0, 1, 1}, kOther{0, 1, 0, 1};

Snapshot on(const Assignment& pe) {
  Snapshot snapshot = test::make_snapshot(2, {1, 1, 1, 1}, pe);
  snapshot.graph = make_comm_graph(4, std::vector<CommEdge>{{0, 2, 100, 1}});
  return snapshot;
}

// Returns an interval of `length_s` in which each PE computes 2 s.
Interval interval(double length_s) {
  IntervalShare all(0, 2);
  for (const int pe : {0, 0, 1, 1}) all.add_object_on(pe, 1, pe, pe);
  all.set_time(100, length_s);
  return {9, 1, all.numbers()};
}

// Returns a choice of no strategy, in which one strategy was worked out that would place objects otherwise.
Choice choice(const Snapshot& snapshot, double its_step_s = 2) {
  Choice choice;
  choice.rows = {{.strategy = "none", .step_s = 2, .worked_out = true},
                 {.strategy = "greedy", .step_s = its_step_s, .worked_out = true}};
  choice.worked_out = {{}, kOther};
  choice.assignment = snapshot.objects.pe;
  return choice;
}

// Returns the choice of the step at the end of an interval.
Choice step(OtherPlacement& other, const Assignment& pe, double length_s, double intervals = 10,
            double its_step_s = 2) {
  const Snapshot snapshot = on(pe);
  Choice chosen = choice(snapshot, its_step_s);
  other.look_at(chosen, snapshot, interval(length_s), {.intervals = intervals, .cost = kCost});
  return chosen;
}

}  // namespace

TEST_CASE("other placement: where PEs wait, one that is as good for the model is tried, and kept if better") {
  OtherPlacement other;
  const Choice tried = step(other, kFirst, 2.5);
  CHECK(tried.assignment == kOther);
  CHECK(tried.row().strategy == "greedy");
  CHECK(step(other, kOther, 2.2).assignment == kOther);
}

TEST_CASE("other placement: one that takes longer is left again, and not tried a second time") {
  OtherPlacement other;
  REQUIRE(step(other, kFirst, 2.5).assignment == kOther);
  const Choice back = step(other, kOther, 2.6);
  CHECK(back.assignment == kFirst);
  CHECK(back.row().strategy == OtherPlacement::kBack);
  CHECK(step(other, kFirst, 2.5).assignment == kFirst);
  CHECK(step(other, kFirst, 2.5).assignment == kFirst);
}

TEST_CASE("other placement: none is tried where PEs hardly wait") {
  OtherPlacement other;
  CHECK(step(other, kFirst, 2.02).assignment == kFirst);
}

TEST_CASE("other placement: none is tried where all PEs wait for something else") {
  // Only PE 0 computes: beyond its 4 s nobody waits for another PE.
  IntervalShare all(0, 2);
  for (int object = 0; object < 4; ++object) all.add_object_on(0, 1, 0, 0);
  all.set_time(100, 10);
  const Snapshot snapshot = on({0, 0, 0, 0});
  OtherPlacement other;
  Choice chosen = choice(snapshot);
  other.look_at(chosen, snapshot, Interval(9, 1, all.numbers()), {.intervals = 10, .cost = kCost});
  CHECK(chosen.assignment == snapshot.objects.pe);
}

TEST_CASE("other placement: none is tried where objects send each other nothing") {
  Snapshot snapshot = on(kFirst);
  snapshot.graph = make_comm_graph(4, std::vector<CommEdge>{});
  OtherPlacement other;
  Choice chosen = choice(snapshot);
  other.look_at(chosen, snapshot, interval(2.5), {.intervals = 10, .cost = kCost});
  CHECK(chosen.assignment == kFirst);
}

TEST_CASE("other placement: none is tried that the model thinks worse") {
  OtherPlacement other;
  CHECK(step(other, kFirst, 2.5, 10, 2.1).assignment == kFirst);
}

// PEs wait 0.5 s, of which the rule hopes to save half: with one interval to come 0.125 s may be won, and a
// try that fails loses as much.
TEST_CASE("other placement: none is tried at the end of what is to come") {
  OtherPlacement other;
  CHECK(step(other, kFirst, 2.5, 1).assignment == kFirst);
}

TEST_CASE("other placement: what the model moves is left alone") {
  const Snapshot snapshot = on(kFirst);
  OtherPlacement other;
  Choice chosen = choice(snapshot);
  chosen.chosen = 1;
  chosen.assignment = {1, 0, 1, 1};
  other.look_at(chosen, snapshot, interval(2.5), {.intervals = 10, .cost = kCost});
  CHECK(chosen.assignment == Assignment{1, 0, 1, 1});
}

TEST_CASE("other placement: objects that became pinned in a try do not go back") {
  OtherPlacement other;
  REQUIRE(step(other, kFirst, 2.5).assignment == kOther);
  Snapshot snapshot = on(kOther);
  snapshot.objects.migratable[1] = 0;
  Choice chosen = choice(snapshot);
  other.look_at(chosen, snapshot, interval(2.6), {.intervals = 10, .cost = kCost});
  CHECK(chosen.assignment == kOther);
}

TEST_CASE("other placement: with a limit of memory none is tried") {
  Snapshot snapshot = on(kFirst);
  snapshot.pes.memory_bytes.assign(2, 1u << 20);
  OtherPlacement other;
  Choice chosen = choice(snapshot);
  other.look_at(chosen, snapshot, interval(2.5), {.intervals = 10, .cost = kCost});
  CHECK(chosen.assignment == kFirst);
}
