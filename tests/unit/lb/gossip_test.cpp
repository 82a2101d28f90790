// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

// 10 | 0 in objects of 1: limit 5 x 1.02. PE 0 is 4.9 too high and can only offer to PE 1; it offers 4 whole
// objects (4 <= 4.9 < 5) and one more. PE 1 takes each, as 1 < 10, 2 < 9, 3 < 8, 4 < 7, 5 < 6.
TEST_CASE("gossip: two PEs meet in the middle") {
  const Snapshot snapshot = test::make_snapshot(2, std::vector<double>(10, 1), std::vector<PeIndex>(10, 0));
  const Assignment pe_of = parse_strategy("gossip").assign(snapshot, 1);
  CHECK(finish_times(snapshot, pe_of) == std::vector<double>{5, 5});
}

// 3 | 2: giving the object of load 3 would leave 0 | 5.
TEST_CASE("gossip: nobody takes what would make it the later one") {
  const Snapshot snapshot = test::make_snapshot(2, {3, 2}, {0, 1});
  CHECK(parse_strategy("gossip:target=1").assign(snapshot, 1) == snapshot.objects.pe);
}

TEST_CASE("gossip: nothing moves within the target") {
  const Snapshot snapshot = test::make_snapshot(2, {1, 1, 1, 2}, {0, 0, 1, 1});
  CHECK(parse_strategy("gossip:target=1.2").assign(snapshot, 1) == snapshot.objects.pe);
}

TEST_CASE("gossip: fine-grained load on one PE of many spreads, with memory of a few PEs") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    Snapshot snapshot;
    snapshot.pes = uniform_pes(64);
    for (PeIndex i = 0; i < 6400; ++i) snapshot.add_object({.id = i, .pe = 5, .load = random.unit()});
    const auto imbalance = [&](const char* text) {
      return percent_imbalance(snapshot, parse_strategy(text).assign(snapshot, seed));
    };
    CHECK(percent_imbalance(snapshot, snapshot.objects.pe) == doctest::Approx(6300));
    CHECK(imbalance("gossip:iterations=30") <= 2);
    CHECK(imbalance("gossip:iterations=30,known=8") <= 10);
    CHECK(imbalance("gossip:iterations=1,known=8") >=
          611);  // nine PEs cannot have less than 64/9 of the mean, 611 %
  }
}
