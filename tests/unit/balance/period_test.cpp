// SPDX-License-Identifier: Apache-2.0
// Which sync points are LB steps.
#include <doctest/doctest.h>

#include <vector>

#include "runtime/balance/period.hpp"

using namespace skein::balance;

namespace {

/// The sync points, counted from 1, that gather, of an object that passes `points` of them.
std::vector<std::uint64_t> gathering(std::uint64_t points) {
  std::vector<std::uint64_t> found;
  for (std::uint64_t passed = 0; passed < points; ++passed)
    if (next_gathers(passed)) found.push_back(passed + 1);
  return found;
}

}  // namespace

TEST_CASE("period: no period, no steps") {
  set_period({});
  CHECK(gathering(1000).empty());
}

TEST_CASE("period: every third sync point") {
  set_period({.points = 3});
  CHECK(gathering(10) == std::vector<std::uint64_t>{3, 6, 9});
  CHECK(points_in_interval() == 3);
}

TEST_CASE("period: in seconds every sync point gathers, since only there can the PEs agree on the time") {
  set_period({.seconds = 0.5});
  CHECK(gathering(4) == std::vector<std::uint64_t>{1, 2, 3, 4});
  CHECK(points_in_interval() == 1);
}

TEST_CASE("period: automatic: the first sync point is a step, and each says when the next one is") {
  set_period({.automatic = true});
  CHECK(next_gathers(0));
  CHECK(points_in_interval() == 1);
  set_next_step(4);
  CHECK(gathering(20) == std::vector<std::uint64_t>{5});
  CHECK(points_in_interval() == 4);
  set_next_step(1);
  CHECK(gathering(20) == std::vector<std::uint64_t>{6});
}
