// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/metrics.hpp"
#include "tests/unit/lb/partitioners.hpp"

using namespace skein::lb;

// Four PEs with a group of four each, and a fifth group on PE 0: repartitioning to 5, 5, 5, 5 takes three
// moves at least; partitioning afresh is free to move all.
TEST_CASE("zoltan: repartitioning moves few objects") {
  if (!test::available("zoltan")) return;
  Snapshot snapshot = test::make_groups(5, 4, 4);
  for (std::size_t i = 0; i < 20; ++i) snapshot.objects.pe[i] = static_cast<PeIndex>(i / 4 % 4);
  const Assignment pe_of = parse_strategy("zoltan:approach=repartition,migration=10").assign(snapshot, 1);
  CHECK(finish_times(snapshot, pe_of) == std::vector<double>{5, 5, 5, 5});
  CHECK(movement(snapshot, pe_of).objects == 3);
}

TEST_CASE("zoltan: repartitioning moves less than partitioning afresh") {
  if (!test::available("zoltan")) return;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Snapshot snapshot = test::make_snapshot(test::Kind{"plain", 600, 8}, seed);
    const auto moves = [&](const char* strategy) {
      return movement(snapshot, parse_strategy(strategy).assign(snapshot, seed)).objects;
    };
    CHECK(2 * moves("zoltan:approach=repartition") < moves("zoltan"));
  }
}
