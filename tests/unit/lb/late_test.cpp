// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/late.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace skein::lb;

namespace {

Snapshot snapshot_of(std::size_t pes, const std::vector<ObjectInfo>& objects) {
  Snapshot snapshot;
  snapshot.pes = uniform_pes(pes);
  for (const ObjectInfo& object : objects) snapshot.add_object(object);
  return snapshot;
}

// Four objects of load 1 on PE 0 of two; the decision moves two of them away.
const std::vector<ObjectInfo> four = {
    {.id = 1, .load = 1}, {.id = 2, .load = 1}, {.id = 3, .load = 1}, {.id = 4, .load = 1}};
const Decision halves{{0, 0, 1, 1}, {}};

}  // namespace

TEST_CASE("late: nothing has changed, and the decision is what it was") {
  const Snapshot then = snapshot_of(2, four);
  const LateDecision late = apply_late(then, halves, then);
  CHECK(late.decision.pe_of == halves.pe_of);
  CHECK_FALSE(late.dropped);
  CHECK(late.drift.work_percent == 0);
  CHECK(late.drift.changed_percent == 0);
  CHECK(late.drift.change_percent == 0);
  CHECK(late.drift.imbalance_percent == 0);
}

TEST_CASE("late: the three metrics, worked out by hand") {
  const Snapshot then = snapshot_of(2, four);
  // 1, 1.02, 1.5, 0.5: total 4.02; two of four changed by above 5 %; 0.02 + 0.5 + 0.5 of 4.
  // A': PE 0 has 2.02, PE 1 2, on average 2.01.
  const Snapshot now = snapshot_of(
      2, {{.id = 1, .load = 1}, {.id = 2, .load = 1.02}, {.id = 3, .load = 1.5}, {.id = 4, .load = 0.5}});
  const LateDrift drift = apply_late(then, halves, now).drift;
  CHECK(drift.work_percent == doctest::Approx(0.5));
  CHECK(drift.changed_percent == doctest::Approx(50));
  CHECK(drift.change_percent == doctest::Approx(25.5));
  CHECK(drift.imbalance_percent == doctest::Approx(100 * (2.02 / 2.01 - 1)));
}

TEST_CASE("late: objects that have gone drop out, and those whose order is another are found by their ids") {
  const Snapshot then = snapshot_of(2, four);
  const Snapshot now = snapshot_of(2, {{.id = 4, .load = 1}, {.id = 1, .load = 1}});
  const LateDecision late = apply_late(then, halves, now);
  CHECK(late.decision.pe_of == Assignment{1, 0});
  CHECK(late.drift.gone == 2);
  CHECK(late.drift.come == 0);
}

TEST_CASE("late: who may not be moved any more stays") {
  const Snapshot then = snapshot_of(2, four);
  std::vector<ObjectInfo> held = four;
  held[2].migratable = false;
  CHECK(apply_late(then, halves, snapshot_of(2, held)).decision.pe_of == Assignment{0, 0, 0, 1});
}

TEST_CASE(
    "late: new objects go to their parent's place, else to the nearest one's, else to who is done first") {
  const Snapshot then = snapshot_of(2, four);
  std::vector<ObjectInfo> more = four;
  more.push_back({.id = 5, .load = 0.5});
  more.push_back({.id = 6, .load = 0.4});
  more.push_back({.id = 7, .load = 0.4});
  Snapshot now = snapshot_of(2, more);
  // Object 5 is a part of 4, which goes to PE 1; then PE 0 has 2 and PE 1 2.5, so 6 goes to PE 0, and 7, too.
  const std::vector<std::uint64_t> parents{1, 2, 3, 4, 4, 6, 7};
  CHECK(apply_late(then, halves, now, parents).decision.pe_of == Assignment{0, 0, 1, 1, 1, 0, 0});
  CHECK(apply_late(then, halves, now, parents).drift.come == 3);
  // Object 6 is next to 3, which goes to PE 1, and 7 is next to 1.
  now.objects.position = {{0, 0, 0}, {1, 0, 0}, {8, 0, 0}, {9, 0, 0}, {9, 1, 0}, {7, 0, 0}, {0, 1, 0}};
  CHECK(apply_late(then, halves, now, parents).decision.pe_of == Assignment{0, 0, 1, 1, 1, 1, 0});
  // Without parents and positions the heaviest goes first: to PE 0 (of two PEs that are done alike), then PE
  // 1, PE 1.
  now.objects.position.clear();
  CHECK(apply_late(then, halves, now).decision.pe_of == Assignment{0, 0, 1, 1, 0, 1, 1});
}

TEST_CASE("late: a decision that drift has made worse than staying is dropped") {
  const Snapshot then =
      snapshot_of(2, {{.id = 1, .load = 3}, {.id = 2, .load = 2}, {.id = 3, .pe = 1, .load = 1}});
  const Decision decided{{0, 1, 1}, {}};  // 5 and 1 become 3 and 3
  const Snapshot now =
      snapshot_of(2, {{.id = 1, .load = 1}, {.id = 2, .load = 2}, {.id = 3, .pe = 1, .load = 3}});
  const LateDecision late = apply_late(then, decided, now);  // 3 and 3 would become 1 and 5
  CHECK(late.dropped);
  CHECK(late.decision.pe_of == now.objects.pe);
  CHECK(late.drift.imbalance_percent == doctest::Approx(100 * (5.0 / 3 - 1)));
}

TEST_CASE("late: a decision that never balanced is not dropped") {
  const Snapshot then = snapshot_of(2, {{.id = 1, .load = 1}, {.id = 2, .pe = 1, .load = 1}});
  const Decision decided{{1, 1}, {}};
  CHECK_FALSE(apply_late(then, decided, then).dropped);
  CHECK(apply_late(then, decided, then).decision.pe_of == Assignment{1, 1});
}

TEST_CASE("late: memory limits that arose meanwhile hold") {
  const Snapshot then = snapshot_of(2, four);
  Snapshot now = snapshot_of(2, four);
  now.objects.bytes = {10, 10, 10, 10};
  now.pes.memory_bytes = {40, 10};
  const Assignment pe_of = apply_late(then, halves, now).decision.pe_of;
  CHECK(pe_of[0] + pe_of[1] + pe_of[2] + pe_of[3] == 1);  // one object has room on PE 1
}

TEST_CASE("late: parts are split off those objects that can still be divided") {
  Snapshot then = snapshot_of(2, four);
  then.objects.splittable = {1, 1, 1, 1};
  const Decision decided{{0, 0, 0, 0},
                         {{.object = 0, .pe = 1, .fraction = 0.5}, {.object = 3, .pe = 1, .fraction = 0.5}}};
  Snapshot now = snapshot_of(2, {four[3], four[2], four[1]});
  now.objects.splittable = {1, 1, 1};
  const LateDecision late = apply_late(then, decided, now);
  REQUIRE(late.decision.splits.size() == 1);
  CHECK(late.decision.splits[0] == Split{.object = 0, .pe = 1, .fraction = 0.5});
}
