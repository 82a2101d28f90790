// SPDX-License-Identifier: Apache-2.0
// What every strategy makes of bad and of odd snapshots, as docs/strategies.md promises.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

Snapshot make_ordinary() { return test::make_snapshot(test::Kind{"ordinary", 40, 4}, 1); }

void for_each_strategy(const std::function<void(const Selection&)>& check) {
  for (const StrategyInfo& info : strategies()) {
    if (!why_unavailable(info).empty()) continue;
    const Selection selection = parse_strategy(info.name);
    if (!selection.missing_key().empty()) continue;  // what it does is in its file alone
    CAPTURE(info.name);
    check(selection);
  }
}

// `damage` makes an ordinary snapshot one that every strategy refuses with `message`.
void check_refused(const std::string& message, const std::function<void(Snapshot&)>& damage) {
  Snapshot snapshot = make_ordinary();
  damage(snapshot);
  for_each_strategy([&](const Selection& selection) {
    CHECK_THROWS_WITH_AS(selection.assign(snapshot, 1), doctest::Contains(message.c_str()), SnapshotError);
  });
}

bool is_assignment(const Snapshot& snapshot, const Assignment& pe_of) {
  return pe_of.size() == snapshot.object_count() &&
         std::ranges::all_of(pe_of, [&](PeIndex pe) { return pe < snapshot.pe_count(); });
}

}  // namespace

TEST_CASE("bad input: zero PEs, with and without objects") {
  check_refused("there are no PEs", [](Snapshot& snapshot) { snapshot.pes = {}; });
  for_each_strategy(
      [](const Selection& selection) { CHECK_THROWS_AS(selection.assign(Snapshot{}, 1), SnapshotError); });
}

TEST_CASE("bad input: loads, speeds and background that are no amounts") {
  for (const double bad : {kNan, kInfinite, -1.0, -kInfinite}) {
    check_refused("load of object 7 is", [&](Snapshot& snapshot) { snapshot.objects.load[7] = bad; });
    check_refused("speed of PE 2 is", [&](Snapshot& snapshot) { snapshot.pes.speed[2] = bad; });
    check_refused("background load of PE 1 is",
                  [&](Snapshot& snapshot) { snapshot.pes.background_s[1] = bad; });
  }
  check_refused("speed of PE 3 is 0", [](Snapshot& snapshot) { snapshot.pes.speed[3] = 0; });
  check_refused("bytes of edge 0 is", [](Snapshot& snapshot) { snapshot.graph.bytes[0] = -1; });
  check_refused("position of object 5", [](Snapshot& snapshot) {
    snapshot.objects.position[5][1] = std::numeric_limits<float>::quiet_NaN();
  });
}

TEST_CASE("bad input: loads that are finite, but whose finish times are not") {
  check_refused("add up to no finite time", [](Snapshot& snapshot) {
    snapshot.objects.load[0] = snapshot.objects.load[1] = std::numeric_limits<double>::max();
  });
  check_refused("add up to no finite time", [](Snapshot& snapshot) {
    snapshot.objects.load[0] = 1e300;
    snapshot.pes.speed[0] = 1e-300;
  });
}

TEST_CASE("bad input: edges and places that do not exist") {
  check_refused("edge 3 refers to 40, but there are only 40",
                [](Snapshot& snapshot) { snapshot.graph.to[3] = 40; });
  check_refused("PE of object 2 refers to 4, but there are only 4",
                [](Snapshot& snapshot) { snapshot.objects.pe[2] = 4; });
  check_refused("graph.first must rise", [](Snapshot& snapshot) { snapshot.graph.first[1] = 1'000'000; });
  check_refused("objects.bytes has 39 elements",
                [](Snapshot& snapshot) { snapshot.objects.bytes.pop_back(); });
}

TEST_CASE("odd input: no objects give no places") {
  for_each_strategy([](const Selection& selection) {
    Snapshot snapshot;
    snapshot.pes = uniform_pes(3);
    CHECK(selection.assign(snapshot, 1).empty());
  });
}

TEST_CASE("odd input: one object, on one PE or more") {
  for_each_strategy([](const Selection& selection) {
    for (std::size_t pes : {1u, 2u, 5u}) {
      const Snapshot snapshot = test::make_snapshot(test::Kind{"one object", 1, pes}, 1);
      const Assignment pe_of = selection.assign(snapshot, 1);
      CHECK(is_assignment(snapshot, pe_of));
      if (selection.info->traits & never_worse) CHECK(pe_of == snapshot.objects.pe);
    }
  });
}

TEST_CASE("odd input: all objects pinned stay where they are") {
  for_each_strategy([](const Selection& selection) {
    const Snapshot snapshot = test::make_snapshot(test::Kind{"all pinned", 60, 5, 1.0}, 1);
    CHECK(selection.assign(snapshot, 1) == snapshot.objects.pe);
  });
}

TEST_CASE("odd input: objects without load stay, but under rotate and random") {
  for_each_strategy([](const Selection& selection) {
    test::Kind kind{"all loads zero", 50, 4};
    kind.loads = test::Kind::zero;
    const Snapshot snapshot = test::make_snapshot(kind, 1);
    const bool moves_all = selection.info->name == "rotate" || selection.info->name == "random";
    CHECK((selection.assign(snapshot, 1) == snapshot.objects.pe) == !moves_all);
  });
}

TEST_CASE("odd input: more PEs than objects") {
  for_each_strategy([](const Selection& selection) {
    const Snapshot snapshot = test::make_snapshot(test::Kind{"few objects", 5, 40}, 1);
    CHECK(is_assignment(snapshot, selection.assign(snapshot, 1)));
  });
}
