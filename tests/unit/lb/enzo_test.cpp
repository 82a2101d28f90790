// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

// PE 0: 6 + 2 + 3 = 11, PE 1: 1, PE 2: 4. Gap 10: the first object lighter than 5 is object 1 (2). Now 9, 3,
// 4: gap 6, half is 3: objects 0 (6) and 2 (3) are not lighter. It gives up at 9 against 3, though PE 2 could
// still take object 2.
TEST_CASE("enzo: the first object lighter than half of the difference, until there is none") {
  const Snapshot snapshot = test::make_snapshot(3, {6, 2, 3, 1, 4}, {0, 0, 0, 1, 2});
  CHECK(parse_strategy("enzo").assign(snapshot, 1) == Assignment{0, 1, 0, 1, 2});
}

// 3 | 2, mean 2.5: 1.2 times it.
TEST_CASE("enzo: nothing moves within the ratio, or up to the threshold") {
  const Snapshot snapshot = test::make_snapshot(2, {1, 1, 0.4, 0.6, 1, 1}, {0, 0, 0, 0, 1, 1});
  const Assignment moved{0, 0, 1, 0, 1, 1};  // 0.4 is the first below half of the difference of 1
  CHECK(parse_strategy("enzo:ratio=1.05,threshold=1.19").assign(snapshot, 1) == moved);
  CHECK(parse_strategy("enzo:ratio=1.05,threshold=1.21").assign(snapshot, 1) == snapshot.objects.pe);
  CHECK(parse_strategy("enzo:ratio=1.49").assign(snapshot, 1) == moved);
  CHECK(parse_strategy("enzo").assign(snapshot, 1) == snapshot.objects.pe);  // 3 is 1.5 times 2, not more
}

// 3 | 2, half of the difference is 0.5: 0.4 fills 0.8 of it.
TEST_CASE("enzo: what fills too little stays") {
  const Snapshot snapshot = test::make_snapshot(2, {1, 1, 0.4, 0.6, 1, 1}, {0, 0, 0, 0, 1, 1});
  CHECK(parse_strategy("enzo:ratio=1.05,fill=0.79").assign(snapshot, 1) == Assignment{0, 0, 1, 0, 1, 1});
  CHECK(parse_strategy("enzo:ratio=1.05,fill=0.81").assign(snapshot, 1) == snapshot.objects.pe);
}

// Speeds 1 and 3. Object 0 (3): PE 0 finishes at 6, PE 1 at 0; 3 + 1 < 6: it goes, 3 | 1. Object 1 (3): 3 + 1
// is not below the gap of 2: it stays.
TEST_CASE("enzo: counts speed: the receiver finishes before the giver did") {
  Snapshot snapshot = test::make_snapshot(2, {3, 3}, {0, 0});
  snapshot.pes.speed = {1, 3};
  CHECK(parse_strategy("enzo").assign(snapshot, 1) == Assignment{1, 0});
}
