// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;
using doctest::Approx;

namespace {

Snapshot make_splittable(std::size_t pes, const std::vector<double>& loads, const std::vector<PeIndex>& pe) {
  Snapshot snapshot = test::make_snapshot(pes, loads, pe);
  snapshot.objects.splittable.assign(loads.size(), 1);
  return snapshot;
}

}  // namespace

// Four PEs: 10 + 2 + 2 | 6 | 4 | 0, average 6.
// Move phase: PE 0 (14) to PE 3 (0, lacks 6): the heaviest object that fits is a 2 (object 1, as of equal
// ones the higher number comes first: object 2). Then PE 3 lacks 4: object 1 goes too. Now 10 | 6 | 4 | 4.
// No whole object of PE 0 fits the 2 that PE 2 lacks. Split phase: a part of 2 of object 0 (1/5) to PE 2,
// which then has the average; and another to PE 3. All four have 6.
TEST_CASE("move-split: whole objects first, then parts of the largest that fill the gaps exactly") {
  const Snapshot snapshot = make_splittable(4, {10, 2, 2, 6, 4}, {0, 0, 0, 1, 2});
  const Decision decision = parse_strategy("move-split").decide(snapshot, 1);
  CHECK(decision.pe_of == Assignment{0, 3, 3, 1, 2});
  CHECK(decision.splits == std::vector<Split>{{0, 2, 0.2}, {0, 3, 0.2}});
  for (double finish : finish_times(snapshot, decision)) CHECK(finish == Approx(6));
}

// The same without splitting, and by the scheme that it replaced: move takes object 1 (2 < 14 / 2), then
// object 2 (2 < 10 / 2); then 10 | 6 | 4 | 4: 10 is not below 3.
TEST_CASE("move-split: without splitting both schemes stop at the coarse object") {
  const Snapshot snapshot = test::make_snapshot(4, {10, 2, 2, 6, 4}, {0, 0, 0, 1, 2});
  CHECK(parse_strategy("move-split").decide(snapshot, 1).splits.empty());
  CHECK(parse_strategy("move-split").assign(snapshot, 1) == Assignment{0, 3, 3, 1, 2});
  CHECK(parse_strategy("move").assign(snapshot, 1) == Assignment{0, 3, 3, 1, 2});
}

// 9 | 0 | 0, average 3; only object 1 (3) may be split. PE 1 lacks 3: object 1 goes whole. PE 2 lacks 3:
// object 0 (6) is too heavy and may not be split.
TEST_CASE("move-split: objects that do not declare themselves splittable stay whole") {
  Snapshot snapshot = make_splittable(3, {6, 3}, {0, 0});
  snapshot.objects.splittable[0] = 0;
  const Decision decision = parse_strategy("move-split").decide(snapshot, 1);
  CHECK(decision.pe_of == Assignment{0, 1});
  CHECK(decision.splits.empty());
}

// The part of 4 (half of object 0) would bring 50 bytes to PE 1, which may hold 40.
TEST_CASE("move-split: a part that would break the memory limit stays with its object") {
  Snapshot snapshot = make_splittable(2, {8}, {0});
  CHECK(parse_strategy("move-split").decide(snapshot, 1).splits == std::vector<Split>{{0, 1, 0.5}});
  snapshot.pes.memory_bytes = {100, 40};
  CHECK(parse_strategy("move-split").decide(snapshot, 1).splits.empty());
}

TEST_CASE("move-split: with splittable objects every PE gets the average, with less splits than PEs") {
  for (const test::Kind& kind : test::all_kinds()) {
    if (kind.pinned_share > 0 || kind.background || kind.objects == 0 || kind.loads == test::Kind::zero)
      continue;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      Snapshot snapshot = test::make_snapshot(kind, seed);
      snapshot.objects.splittable.assign(snapshot.object_count(), 1);
      const Decision decision = parse_strategy("move-split:tolerance=1").decide(snapshot, 1);
      std::vector<double> split_off(snapshot.object_count(), 0);
      for (const Split& split : decision.splits) split_off[split.object] += split.fraction;
      CAPTURE(kind.name);
      CHECK(decision.splits.size() < snapshot.pe_count());
      CHECK(std::ranges::max(split_off) <= 1 + 1e-9);
      CHECK(std::ranges::max(finish_times(snapshot, decision)) ==
            Approx(perfect_finish(snapshot)).epsilon(1e-9));
    }
  }
}
