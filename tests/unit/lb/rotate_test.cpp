// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

TEST_CASE("rotate: every object goes `by` PEs on, around the end, and pinned ones stay") {
  Snapshot snapshot = test::make_snapshot(3, {1, 1, 1, 1}, {0, 1, 2, 2});
  CHECK(parse_strategy("rotate").assign(snapshot, 1) == Assignment{1, 2, 0, 0});
  CHECK(parse_strategy("rotate:by=5").assign(snapshot, 1) == Assignment{2, 0, 1, 1});
  snapshot.objects.migratable[3] = false;
  CHECK(parse_strategy("rotate").assign(snapshot, 1) == Assignment{1, 2, 0, 2});
}
