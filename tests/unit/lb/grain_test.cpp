// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/grain.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace skein::lb;

TEST_CASE("grain: equal objects fill PEs to the next whole number") {
  const std::vector<double> eight(8, 0.5);
  CHECK(grain(eight, 1) == 1);
  CHECK(grain(eight, 2) == 1);
  // 3 on the fullest of three, 8 / 3 on average.
  CHECK(grain(eight, 3) == doctest::Approx(9.0 / 8));
  // More PEs than objects: one has one, on average they have a half.
  CHECK(grain(eight, 16) == doctest::Approx(2));
}

TEST_CASE("grain: heaviest first, by hand") {
  // 7 on one PE, 6 on the other, where 5 joins it; 3 joins the 7: 11 and 10.
  const std::vector<double> loads = {3, 7, 5, 6};
  CHECK(grain(loads, 2) == doctest::Approx(11 / 10.5));
}

TEST_CASE("grain: nothing to compute, nothing uneven") {
  CHECK(grain({}, 4) == 1);
  const std::vector<double> idle(3, 0.0);
  CHECK(grain(idle, 2) == 1);
}

TEST_CASE("grain: loads survive their quantiles where they rise evenly") {
  std::vector<double> loads;
  for (int k = 64; k >= 0; --k) loads.push_back(k);
  const std::vector<double> quantiles = quantiles_of(loads);
  REQUIRE(quantiles.size() == kQuantiles + 1);
  CHECK(quantiles.front() == 0);
  CHECK(quantiles[1] == doctest::Approx(2));
  CHECK(quantiles.back() == 64);
  const std::vector<double> again = loads_of(quantiles, 65);
  for (int k = 0; k <= 64; ++k) CHECK(again[static_cast<std::size_t>(k)] == doctest::Approx(k));
  CHECK(loads_of(quantiles, 1) == std::vector<double>{32});
  CHECK(quantiles_of({}).empty());
  CHECK(loads_of({}, 3).empty());
}
