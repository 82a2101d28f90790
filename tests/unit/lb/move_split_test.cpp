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

// Four PEs: 10 + 2 + 2 | 6 | 4 | 0, average 6, largest 14.
// PE 3 lacks 6, of which an object of 2 fills only a third: object 0 is split, a part of 6 goes to PE 3. Now
// 8 | 6 | 4 | 6: PE 2 lacks 2, which object 2 fills (of equal ones the higher number comes first).
TEST_CASE("move-split: whole objects where they fill at least half, else a part that fills the gap exactly") {
  const Snapshot snapshot = make_splittable(4, {10, 2, 2, 6, 4}, {0, 0, 0, 1, 2});
  const Decision decision = parse_strategy("move-split").decide(snapshot, 1);
  CHECK(decision.pe_of == Assignment{0, 0, 2, 1, 2});
  CHECK(decision.splits == std::vector<Split>{{0, 3, 0.6}});
  for (double finish : finish_times(snapshot, decision)) CHECK(finish == Approx(6));
}

// With fill=0 whole objects come first, however little they fill: object 2 to PE 3, which lacks 6; object 1
// too, as it still lacks 4. Now 10 | 6 | 4 | 4, and no whole object of PE 0 fits the 2 that PE 2 lacks: a
// part of 2 (1/5) of object 0 goes there, and another to PE 3.
TEST_CASE("move-split: without a lower bound more objects move") {
  const Snapshot snapshot = make_splittable(4, {10, 2, 2, 6, 4}, {0, 0, 0, 1, 2});
  const Decision decision = parse_strategy("move-split:fill=0").decide(snapshot, 1);
  CHECK(decision.pe_of == Assignment{0, 3, 3, 1, 2});
  CHECK(decision.splits == std::vector<Split>{{0, 2, 0.2}, {0, 3, 0.2}});
  for (double finish : finish_times(snapshot, decision)) CHECK(finish == Approx(6));
}

// Average 10. 12 | 8 is 1.2 times it, 12.1 | 7.9 more.
TEST_CASE("move-split: acts where the most loaded PE is above the threshold, then levels") {
  const Snapshot at = make_splittable(2, {12, 8}, {0, 1}), above = make_splittable(2, {12.1, 7.9}, {0, 1});
  CHECK(parse_strategy("move-split").decide(at, 1).splits.empty());
  CHECK(finish_times(above, parse_strategy("move-split").decide(above, 1))[0] == Approx(10));
  CHECK(parse_strategy("move-split:threshold=1.5").decide(above, 1).splits.empty());
  CHECK(finish_times(at, parse_strategy("move-split:threshold=1").decide(at, 1))[0] == Approx(10));
}

// 13 | 9 | 8, average 10. PE 2 lacks 2, a fifth of an average PE's load; then PE 1 lacks 1, a tenth.
TEST_CASE("move-split: parts below the least are not split off") {
  const Snapshot snapshot = make_splittable(3, {13, 9, 8}, {0, 1, 2});
  const auto splits = [&](const char* text) {
    return parse_strategy(text).decide(snapshot, 1).splits.size();
  };
  CHECK(splits("move-split:least=0.09") == 2);
  CHECK(splits("move-split:least=0.11") == 1);
  CHECK(splits("move-split:least=0.21") == 0);
}

// The same without splitting, and by the scheme that it replaced: move takes object 1 (2 < 14 / 2), then
// object 2 (2 < 10 / 2); then 10 | 6 | 4 | 4: 10 is not below 3.
TEST_CASE("move-split: without splitting both schemes stop at the coarse object") {
  const Snapshot snapshot = test::make_snapshot(4, {10, 2, 2, 6, 4}, {0, 0, 0, 1, 2});
  CHECK(parse_strategy("move-split").decide(snapshot, 1).splits.empty());
  CHECK(parse_strategy("move-split").assign(snapshot, 1) == Assignment{0, 3, 3, 1, 2});
  CHECK(parse_strategy("move").assign(snapshot, 1) == Assignment{0, 3, 3, 1, 2});  // 14 is 2.3 times the mean
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
      const Decision decision =
          parse_strategy("move-split:threshold=1,tolerance=1,least=0").decide(snapshot, 1);
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
