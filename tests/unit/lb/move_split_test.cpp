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

// The example of Figures 4 and 9 of Lan et al. with sizes: 9 + 8 | 3 | 0 | 4, average 6, threshold 1.2. What
// brings PE 2 above 5 and below 7.2 is not there: object 0 is split, 6 go to PE 2. Of 3 + 8 | 3 | 6 | 4 the
// rest of object 0 brings PE 1 to 6 (2 < 3 < 4.2). Of 8 | 6 | 6 | 4 nothing is between 1 and 3.2: object 1 is
// split, 2 go to PE 3.
TEST_CASE("move-split: the example of the paper") {
  const Snapshot snapshot = make_splittable(4, {9, 8, 3, 4}, {0, 0, 1, 3});
  const Decision decision = parse_strategy("move-split").decide(snapshot, 1);
  CHECK(decision.pe_of == Assignment{1, 0, 1, 3});
  CHECK(decision.splits == std::vector<Split>{{0, 2, 6 / 9.0}, {1, 3, 2 / 8.0}});
  for (double finish : finish_times(snapshot, decision)) CHECK(finish == Approx(6));
}

// 2 + 4 + 5 + 5 | 3 | 5, average 8: the window of PE 1 is from 8 / 1.2 - 3 = 3.67 to 8 * 1.2 - 3 = 6.6: of
// objects 1, 2, 3 the first. 12 | 7 | 5: that of PE 2 is from 1.67 to 4.6, and the first in it is object 0.
// Now 10 | 7 | 7, and 10 is above 9.6: PE 1 could get up to 2.6, and lacks 1, which is split off object 2 as
// the heaviest with the higher number is object 3.
TEST_CASE("move-split: the first object in the window goes, not the heaviest") {
  const Snapshot snapshot = make_splittable(3, {2, 4, 5, 5, 3, 5}, {0, 0, 0, 0, 1, 2});
  const Decision decision = parse_strategy("move-split").decide(snapshot, 1);
  CHECK(decision.pe_of == Assignment{2, 1, 0, 0, 1, 2});
  CHECK(decision.splits == std::vector<Split>{{3, 1, 1 / 5.0}});
}

// 7 + 5 + 1 | 7, average 10: the window is from 1.33 to 5. The bounds are no part of it: object 1 (5) would
// bring PE 1 to 12 = 1.2 x 10, so object 0 is split. 13 is above 12; 10 | 10 afterwards. With 4.9 it goes
// whole.
TEST_CASE("move-split: what brings a PE to the threshold is not below it") {
  CHECK(parse_strategy("move-split").decide(make_splittable(2, {7, 5, 1, 7}, {0, 0, 0, 1}), 1).splits ==
        std::vector<Split>{{0, 1, 3 / 7.0}});
  const Decision whole =
      parse_strategy("move-split").decide(make_splittable(2, {7, 4.9, 1.1, 7}, {0, 0, 0, 1}), 1);
  CHECK(whole.pe_of == Assignment{0, 1, 0, 1});
  CHECK(whole.splits.empty());
}

// 12.1 | 7.9 becomes 10 | 10. 12 | 8 is no more than 1.2 times the average, and so it ends at the threshold:
// 16 | 9 | 5, average 10: the window of PE 2 is from 3.3 to 7: object 0 (4). At 12 | 9 | 9 nothing more goes.
TEST_CASE("move-split: acts above the threshold, and ends at it") {
  CHECK(parse_strategy("move-split").decide(make_splittable(2, {12, 8}, {0, 1}), 1).splits.empty());
  const Snapshot above = make_splittable(2, {12.1, 7.9}, {0, 1});
  CHECK(finish_times(above, parse_strategy("move-split").decide(above, 1))[0] == Approx(10));
  const Snapshot three = make_splittable(3, {4, 12, 9, 5}, {0, 0, 1, 2});
  const Decision decision = parse_strategy("move-split").decide(three, 1);
  CHECK(decision.pe_of == Assignment{2, 0, 1, 2});
  CHECK(decision.splits.empty());
}

// Two PEs, and nothing between 8.33 and 12 but what is lighter: the 3 that is heaviest goes, then another,
// and then the same two PEs have been giver and receiver twice running. 24 - 6 | 6 is left of what eight 3
// were.
TEST_CASE("move-split: ends when the same two PEs would split twice running") {
  const Snapshot snapshot =
      test::make_snapshot(2, std::vector<double>(8, 3), std::vector<PeIndex>(8, 0));  // none can be split
  CHECK(finish_times(snapshot, parse_strategy("move-split").decide(snapshot, 1)) ==
        std::vector<double>{18, 6});
  const Decision ours = parse_strategy("move-split:whole=heaviest").decide(snapshot, 1);
  CHECK(finish_times(snapshot, ours) == std::vector<double>{12, 12});
}

// Objects of w, all on PE 0, as many for each of the PEs: sums of w differ from multiples of it by what they
// were rounded by, and no object is cut for that.
TEST_CASE("move-split: what fits exactly goes whole") {
  for (const char* text : {"move-split:whole=heaviest", "move-split:whole=heaviest,least=0", "move-split",
                           "move-split:threshold=1", "move-split:least=0"}) {
    for (const double w : {2.0, 0.1, 0.3, 1 / 3.0, 1e-7}) {
      for (std::size_t pes = 2; pes <= 9; ++pes) {
        Snapshot snapshot =
            make_splittable(pes, std::vector<double>(5 * pes, w), std::vector<PeIndex>(5 * pes, 0));
        snapshot.pes.background_s.assign(pes, 0.7 * w);
        CAPTURE(text);
        CAPTURE(w);
        CAPTURE(pes);
        CHECK(parse_strategy(text).decide(snapshot, 1).splits.empty());
      }
    }
  }
}

// Four PEs: 10 + 2 + 2 | 6 | 4 | 0, average 6, largest 14.
// PE 3 lacks 6, of which an object of 2 fills only a third: object 0 is split, a part of 6 goes to PE 3. Now
// 8 | 6 | 4 | 6: PE 2 lacks 2, which object 2 fills (of equal ones the higher number comes first).
TEST_CASE(
    "move-split:whole=heaviest: whole objects where they fill at least half, else a part that fills the gap "
    "exactly") {
  const Snapshot snapshot = make_splittable(4, {10, 2, 2, 6, 4}, {0, 0, 0, 1, 2});
  const Decision decision = parse_strategy("move-split:whole=heaviest").decide(snapshot, 1);
  CHECK(decision.pe_of == Assignment{0, 0, 2, 1, 2});
  CHECK(decision.splits == std::vector<Split>{{0, 3, 0.6}});
  for (double finish : finish_times(snapshot, decision)) CHECK(finish == Approx(6));
}

// With fill=0 whole objects come first, however little they fill: object 2 to PE 3, which lacks 6; object 1
// too, as it still lacks 4. Now 10 | 6 | 4 | 4, and no whole object of PE 0 fits the 2 that PE 2 lacks: a
// part of 2 (1/5) of object 0 goes there, and another to PE 3.
TEST_CASE("move-split:whole=heaviest: without a lower bound more objects move") {
  const Snapshot snapshot = make_splittable(4, {10, 2, 2, 6, 4}, {0, 0, 0, 1, 2});
  const Decision decision = parse_strategy("move-split:whole=heaviest,fill=0").decide(snapshot, 1);
  CHECK(decision.pe_of == Assignment{0, 3, 3, 1, 2});
  CHECK(decision.splits == std::vector<Split>{{0, 2, 0.2}, {0, 3, 0.2}});
  for (double finish : finish_times(snapshot, decision)) CHECK(finish == Approx(6));
}

// Average 10. 12 | 8 is 1.2 times it, 12.1 | 7.9 more.
TEST_CASE("move-split:whole=heaviest: acts where the most loaded PE is above the threshold, then levels") {
  const Snapshot at = make_splittable(2, {12, 8}, {0, 1}), above = make_splittable(2, {12.1, 7.9}, {0, 1});
  CHECK(parse_strategy("move-split:whole=heaviest").decide(at, 1).splits.empty());
  CHECK(finish_times(above, parse_strategy("move-split:whole=heaviest").decide(above, 1))[0] == Approx(10));
  CHECK(parse_strategy("move-split:whole=heaviest,threshold=1.5").decide(above, 1).splits.empty());
  CHECK(finish_times(at, parse_strategy("move-split:threshold=1").decide(at, 1))[0] == Approx(10));
}

// 13 | 9 | 8, average 10. PE 2 lacks 2, a fifth of an average PE's load; then PE 1 lacks 1, a tenth.
TEST_CASE("move-split:whole=heaviest: parts below the least are not split off") {
  const Snapshot snapshot = make_splittable(3, {13, 9, 8}, {0, 1, 2});
  const auto splits = [&](const char* text) {
    return parse_strategy(text).decide(snapshot, 1).splits.size();
  };
  CHECK(splits("move-split:whole=heaviest,least=0.09") == 2);
  CHECK(splits("move-split:whole=heaviest,least=0.11") == 1);
  CHECK(splits("move-split:whole=heaviest,least=0.21") == 0);
}

// The same without splitting, and by the scheme that it replaced: enzo takes object 1 (2 < 14 / 2), then
// object 2 (2 < 10 / 2); then 10 | 6 | 4 | 4: 10 is not below 3. The window of PE 3 is from 5 to 7.2, in
// which nothing is: it gets object 1, the heaviest that fits, then object 2, and that PE 0 gives to PE 3
// twice running is the end, as it is with the next two PEs on which nothing fits.
TEST_CASE("move-split: without splitting both schemes stop at the coarse object") {
  const Snapshot snapshot = test::make_snapshot(4, {10, 2, 2, 6, 4}, {0, 0, 0, 1, 2});
  CHECK(parse_strategy("move-split").decide(snapshot, 1).splits.empty());
  CHECK(parse_strategy("move-split").assign(snapshot, 1) == Assignment{0, 3, 3, 1, 2});
  CHECK(parse_strategy("move-split:whole=heaviest").assign(snapshot, 1) == Assignment{0, 3, 3, 1, 2});
  CHECK(parse_strategy("enzo").assign(snapshot, 1) == Assignment{0, 3, 3, 1, 2});
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
