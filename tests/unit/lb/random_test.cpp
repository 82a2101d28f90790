// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>

#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

// 10,000 objects on 10 PEs: each count is binomial, mean 1000, standard deviation 30. The chi-square
// statistic has 9 degrees of freedom; it exceeds 27.9 once in a thousand seeds, and the seed is fixed.
TEST_CASE("random: PEs are drawn uniformly, and by the seed") {
  const Snapshot snapshot =
      test::make_snapshot(10, std::vector<double>(10'000, 1), std::vector<PeIndex>(10'000, 0));
  const Selection random = parse_strategy("random");
  const Assignment pe_of = random.assign(snapshot, 1);
  std::array<double, 10> count{};
  for (PeIndex pe : pe_of) ++count[pe];
  double chi_square = 0;
  for (double c : count) chi_square += (c - 1000) * (c - 1000) / 1000;
  CHECK(chi_square < 27.9);
  CHECK(random.assign(snapshot, 2) != pe_of);
}
