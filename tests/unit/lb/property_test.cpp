// SPDX-License-Identifier: Apache-2.0
// What holds for every entry of the table, on every kind of snapshot.
#include <doctest/doctest.h>

#include <algorithm>

#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

namespace {

constexpr std::uint64_t kSnapshotSeeds = 8;

template <class Check>
void for_each_case(Check check) {
  for (const StrategyInfo& info : strategies()) {
    if (!why_unavailable(info).empty()) continue;
    const Selection selection = parse_strategy(info.name);
    for (const test::Kind& kind : test::all_kinds()) {
      for (std::uint64_t seed = 1; seed <= kSnapshotSeeds; ++seed) {
        CAPTURE(info.name);
        CAPTURE(kind.name);
        CAPTURE(seed);
        check(selection, test::make_snapshot(kind, seed));
      }
    }
  }
}

}  // namespace

TEST_CASE("every strategy: each object is placed once, on a PE that exists") {
  for_each_case([](const Selection& selection, const Snapshot& snapshot) {
    const Assignment pe_of = selection.assign(snapshot, 7);
    CHECK(pe_of.size() == snapshot.object_count());
    CHECK(std::ranges::all_of(pe_of, [&](PeIndex pe) { return pe < snapshot.pe_count(); }));
  });
}

TEST_CASE("every strategy: pinned objects stay") {
  for_each_case([](const Selection& selection, const Snapshot& snapshot) {
    const Assignment pe_of = selection.assign(snapshot, 7);
    std::size_t moved = 0;
    for (std::size_t i = 0; i < pe_of.size(); ++i) {
      moved += !snapshot.objects.migratable[i] && pe_of[i] != snapshot.objects.pe[i];
    }
    CHECK(moved == 0);
  });
}

TEST_CASE("every strategy: same snapshot, options and seed give the same assignment") {
  for_each_case([](const Selection& selection, const Snapshot& snapshot) {
    CHECK(selection.assign(snapshot, 7) == selection.assign(Snapshot(snapshot), 7));
  });
}

TEST_CASE("strategies that promise so are never worse than the present placement") {
  for_each_case([](const Selection& selection, const Snapshot& snapshot) {
    if (!(selection.info->traits & never_worse)) return;
    const auto before = finish_times(snapshot, snapshot.objects.pe);
    const auto after = finish_times(snapshot, selection.assign(snapshot, 7));
    // The strategies add loads up in another order: allow for rounding.
    CHECK(std::ranges::max(after) <= std::ranges::max(before) * (1 + 1e-12));
  });
}

TEST_CASE("every strategy that promises not to get worse leaves a snapshot without load alone") {
  for_each_case([](const Selection& selection, Snapshot snapshot) {
    if (!(selection.info->traits & never_worse)) return;
    std::ranges::fill(snapshot.objects.load, 0.0);
    CHECK(movement(snapshot, selection.assign(snapshot, 7)).objects == 0);
  });
}

TEST_CASE("every strategy refuses an invalid snapshot") {
  for (const StrategyInfo& info : strategies()) {
    if (!why_unavailable(info).empty()) continue;
    Snapshot snapshot = test::make_snapshot(2, {1, 2}, {0, 1});
    snapshot.objects.load[1] = -1;
    CHECK_THROWS_AS(parse_strategy(info.name).assign(snapshot, 1), SnapshotError);
  }
}
