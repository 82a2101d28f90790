// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/memory_limit.hpp"

#include <doctest/doctest.h>

#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

namespace {

Snapshot make_limited(const std::vector<double>& loads, const std::vector<std::uint64_t>& bytes,
                      const std::vector<PeIndex>& pe, const std::vector<std::uint64_t>& limits) {
  Snapshot snapshot = test::make_snapshot(limits.size(), loads, pe);
  snapshot.objects.bytes = bytes;
  snapshot.pes.memory_bytes = limits;
  return snapshot;
}

}  // namespace

TEST_CASE("memory limit: an assignment that keeps it is returned as it is") {
  const Snapshot snapshot = make_limited({1, 1, 1}, {10, 10, 10}, {0, 0, 0}, {10, 20});
  CHECK(keep_memory_limit(snapshot, {0, 1, 1}, false) == Assignment{0, 1, 1});
}

// Wanted: all four on PE 1 (40 bytes, limit 20). Object 0 lives there; the others, equally large, leave in
// the order of their numbers until 20 are left: objects 1 and 2, to the PE that finishes first: 1 to PE 0
// (finish 0 like PE 2, the lower number), then 2 to PE 2.
TEST_CASE("memory limit: what was to come leaves first, to the PE with room that finishes first") {
  const Snapshot snapshot = make_limited({1, 1, 1, 1}, {10, 10, 10, 10}, {1, 0, 2, 2}, {20, 20, 20});
  CHECK(keep_memory_limit(snapshot, {1, 1, 1, 1}, false) == Assignment{1, 0, 2, 1});
}

// Object 0 (100 bytes) is to go to PE 1, where 50 fit, and PE 2 has no room either: it goes back to PE 0.
TEST_CASE("memory limit: an object that fits nowhere else stays where it is") {
  const Snapshot snapshot = make_limited({5, 1}, {100, 10}, {0, 0}, {110, 50, 20});
  CHECK(keep_memory_limit(snapshot, {1, 0}, false) == Assignment{0, 0});
}

// Wanted: 0 and 1 exchanged, and 2 to PE 0, which then holds 45 of 38. Repair: object 1 (40) finds 30 of 45
// taken on PE 1; object 2 (5) goes back, and PE 0 still holds 40. So moves are applied as far as they fit (PE
// 0 holds 30 of 38 now, PE 1 all of its 45): 0 needs 30 on PE 1, 1 needs 40 on PE 0, and 2 needs 5 there and
// goes; the 5 that 2 leaves free help neither of the others.
TEST_CASE("memory limit: where no packing is found, moves are applied as far as they fit") {
  const Snapshot snapshot = make_limited({4, 2, 1}, {30, 40, 5}, {0, 1, 1}, {38, 45});
  const Assignment wanted{1, 0, 0};
  CHECK(keep_memory_limit(snapshot, wanted, false) == Assignment{0, 1, 0});
}

// Objects of 10 bytes, 0 and 1 with a block of 100, 2 and 3 with another. Wanted: 0, 1 and 2 on PE 1, which
// has room for 130: two objects and a block are 120, with the third and its block 230. Object 0, the first of
// three equally large ones, goes to the PE with room that finishes first, PE 2, which leaves 220. Then object
// 1 goes to PE 0, the lower number of PEs 0 and 2, which both finish at 1; that leaves 110.
TEST_CASE("memory limit: a block counts once on each PE that has a reader of it") {
  Snapshot snapshot = make_limited({1, 1, 1, 1}, {10, 10, 10, 10}, {0, 0, 0, 0}, {1000, 130, 1000});
  snapshot.blocks = {{0, 0, 1, 1}, {100, 100}, {0, 0}};
  CHECK(keep_memory_limit(snapshot, {1, 1, 0, 0}, false) == Assignment{1, 1, 0, 0});
  CHECK(keep_memory_limit(snapshot, {1, 1, 1, 0}, false) == Assignment{2, 0, 1, 0});
  // A part of object 2 also needs its block: 120 + 5 + 100.
  std::vector<Split> splits{{2, 1, 0.5}, {1, 1, 0.5}};
  keep_memory_limit(snapshot, {1, 1, 0, 0}, splits);
  CHECK(splits == std::vector<Split>{{1, 1, 0.5}});
}

TEST_CASE("memory limit: a PE above it now gives away what fits elsewhere, before balance") {
  const Snapshot snapshot = make_limited({1, 1, 9}, {30, 40, 10}, {0, 0, 1}, {50, 50});
  CHECK(parse_strategy("none").assign(snapshot, 1) == Assignment{0, 1, 1});
}

TEST_CASE("memory limit: a PE that its pinned objects alone fill gets nothing more") {
  Snapshot snapshot = make_limited({0.1, 2, 2}, {100, 10, 10}, {0, 1, 1}, {50, 50});
  snapshot.objects.migratable[0] = false;
  CHECK(parse_strategy("greedy").assign(snapshot, 1) == Assignment{0, 1, 1});
}

TEST_CASE("memory limit: zero bytes everywhere leaves objects without memory free to move") {
  const Snapshot snapshot = make_limited({2, 2}, {0, 0}, {0, 0}, {0, 0});
  CHECK(parse_strategy("greedy").assign(snapshot, 1) == Assignment{0, 1});
}

TEST_CASE("memory limit: one limit for each PE, or none") {
  Snapshot snapshot = make_limited({1}, {1}, {0}, {1, 1});
  snapshot.pes.memory_bytes.pop_back();
  CHECK_THROWS_WITH_AS(parse_strategy("none").assign(snapshot, 1),
                       doctest::Contains("pes.memory_bytes has 1 elements, expected 2"), SnapshotError);
}
