// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

// A 4 x 2 board of equal objects, object number = x + 4 y, on 4 PEs. The first cut is across x (longer): x <
// 2 to PEs 0, 1. Each half is 2 x 2, a span of 1 both ways: the tie goes to x. So every PE has one column.
TEST_CASE("rcb: cuts a board of equal objects into columns") {
  Snapshot snapshot = test::make_snapshot(4, std::vector<double>(8, 1), std::vector<PeIndex>(8, 0));
  for (int i = 0; i < 8; ++i) snapshot.objects.position.push_back({float(i % 4), float(i / 4), 0});
  CHECK(parse_strategy("rcb").assign(snapshot, 1) == Assignment{0, 1, 2, 3, 0, 1, 2, 3});
}

// Loads 3, 1, 1, 1 along a line: 3 | 1 1 1.
TEST_CASE("rcb: the cut follows the load") {
  Snapshot snapshot = test::make_snapshot(2, {1, 1, 3, 1}, {0, 0, 0, 0});
  snapshot.objects.position = {{1, 0, 0}, {2, 0, 0}, {0, 0, 0}, {3, 0, 0}};
  CHECK(parse_strategy("rcb").assign(snapshot, 1) == Assignment{1, 1, 0, 1});
}

// PE 1 is three times as fast as PE 0: of 8 equal objects on a line it gets 6.
TEST_CASE("rcb: portions follow the speed") {
  Snapshot snapshot = test::make_snapshot(2, std::vector<double>(8, 1), std::vector<PeIndex>(8, 0));
  for (int i = 0; i < 8; ++i) snapshot.objects.position.push_back({0, 0, float(i)});
  snapshot.pes.speed = {1, 3};
  CHECK(parse_strategy("rcb").assign(snapshot, 1) == Assignment{0, 0, 1, 1, 1, 1, 1, 1});
}
