// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

// Perfectly balanced already, 4 | 4, though greedy would place the objects otherwise.
TEST_CASE("greedy-refine: moves nothing when balanced") {
  const Snapshot snapshot = test::make_snapshot(2, {1, 3, 2, 2}, {1, 1, 0, 0});
  CHECK(movement(snapshot, parse_strategy("greedy-refine").assign(snapshot, 1)).objects == 0);
}

// 4 + 3 + 1 | 4. Greedy: 4 | 4, 4 + 3 | 4, then 1 to PE 1: 7 | 5. For M = 7 it suffices to move the object of
// load 1.
TEST_CASE("greedy-refine: reaches greedy's balance with the one move it takes") {
  const Snapshot snapshot = test::make_snapshot(2, {4, 3, 1, 4}, {0, 0, 0, 1});
  CHECK(parse_strategy("greedy-refine").assign(snapshot, 1) == Assignment{0, 0, 1, 1});
}

// 10 + 1 | 3 + 3 | 0 | 0. Greedy: 10 | 3 | 3 | 1. But for the object of 10, which stays alone, M is 3.
TEST_CASE(
    "greedy-refine: an object that is too heavy for every PE stays alone, and the others are levelled") {
  const Snapshot snapshot = test::make_snapshot(4, {10, 1, 3, 3}, {0, 0, 1, 1});
  CHECK(parse_strategy("greedy-refine").assign(snapshot, 1) == Assignment{0, 3, 1, 2});
  const Snapshot alone = test::make_snapshot(4, {10, 1, 3, 3}, {0, 3, 1, 1});
  CHECK(parse_strategy("greedy-refine").assign(alone, 1) == Assignment{0, 3, 1, 2});
}

TEST_CASE("greedy-refine: balance near greedy's with a fraction of the moves") {
  const test::Kind kind{"fine grain", 20'000, 64};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Snapshot snapshot = test::make_snapshot(kind, seed);
    const Assignment refined = parse_strategy("greedy-refine").assign(snapshot, 1);
    const Assignment greedy = parse_strategy("greedy").assign(snapshot, 1);
    CHECK(percent_imbalance(snapshot, refined) < percent_imbalance(snapshot, greedy) + 0.1);
    CHECK(movement(snapshot, refined).objects < movement(snapshot, greedy).objects / 4);
  }
}
