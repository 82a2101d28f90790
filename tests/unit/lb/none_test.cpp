// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

TEST_CASE("none: nothing moves, however imbalanced") {
  const Snapshot snapshot = test::make_snapshot(3, {9, 9, 9}, {1, 1, 1});
  CHECK(parse_strategy("none").assign(snapshot, 1) == Assignment{1, 1, 1});
}
