// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

// With one object a PE the assignment is the curve itself: a Hilbert curve visits every cell once, and
// consecutive cells share a face. In a cube of 2^k cells a side that determines the family of curves.
TEST_CASE("sfc: the curve visits all cells, each beside the one before") {
  constexpr int kSide = 8;
  constexpr std::size_t kCells = kSide * kSide * kSide;
  Snapshot snapshot =
      test::make_snapshot(kCells, std::vector<double>(kCells, 1), std::vector<PeIndex>(kCells, 0));
  for (int i = 0; i < int{kCells}; ++i) {
    snapshot.objects.position.push_back(
        {float(i % kSide), float(i / kSide % kSide), float(i / kSide / kSide)});
  }
  const Assignment pe_of = parse_strategy("sfc").assign(snapshot, 1);
  std::vector<ObjectIndex> at(kCells, ~0u);
  for (ObjectIndex i = 0; i < kCells; ++i) at[pe_of[i]] = i;
  REQUIRE(std::ranges::count(at, ~0u) == 0);
  int jumps = 0;
  for (std::size_t k = 1; k < kCells; ++k) {
    float distance = 0;
    for (int d = 0; d < 3; ++d) {
      distance += std::abs(snapshot.objects.position[at[k]][d] - snapshot.objects.position[at[k - 1]][d]);
    }
    jumps += distance != 1;
  }
  CHECK(jumps == 0);
}

TEST_CASE("sfc: every PE is within one object of its portion") {
  const test::Kind kind{"positions", 2000, 20};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Snapshot snapshot = test::make_snapshot(kind, seed);
    const double perfect = perfect_finish(snapshot);
    const double heaviest = std::ranges::max(snapshot.objects.load);
    for (double finish : finish_times(snapshot, parse_strategy("sfc").assign(snapshot, 1))) {
      CHECK(finish <= perfect + heaviest);
      CHECK(finish >= perfect - heaviest);
    }
  }
}
