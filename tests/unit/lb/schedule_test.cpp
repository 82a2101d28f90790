// SPDX-License-Identifier: Apache-2.0
// The sync points that a schedule makes LB steps.
#include <doctest/doctest.h>

#include <vector>

#include "skein/lb/schedule.hpp"

using namespace skein::lb;

namespace {

/// Returns those of `points` sync points, counted from 1, at which an object gathers.
std::vector<std::uint64_t> gathering(const Schedule& schedule, std::uint64_t points) {
  std::vector<std::uint64_t> found;
  for (std::uint64_t passed = 0; passed < points; ++passed)
    if (schedule.next_gathers(passed)) found.push_back(passed + 1);
  return found;
}

}  // namespace

TEST_CASE("period: no period, no steps") {
  const Schedule schedule;
  CHECK(gathering(schedule, 1000).empty());
}

TEST_CASE("period: every third sync point") {
  Schedule schedule({.points = 3});
  CHECK(gathering(schedule, 10) == std::vector<std::uint64_t>{3, 6, 9});
  CHECK(schedule.points_in_interval() == 3);
}

TEST_CASE("period: in seconds every sync point gathers, since only there can the PEs agree on the time") {
  Schedule schedule({.seconds = 0.5});
  CHECK(gathering(schedule, 4) == std::vector<std::uint64_t>{1, 2, 3, 4});
  CHECK(schedule.points_in_interval() == 1);
}

TEST_CASE("period: automatic: the first sync point is a step, and each says when the next one is") {
  Schedule schedule({.automatic = true});
  CHECK(schedule.next_gathers(0));
  CHECK(schedule.points_in_interval() == 1);
  schedule.set_next_step(4);
  CHECK(gathering(schedule, 20) == std::vector<std::uint64_t>{5});
  CHECK(schedule.points_in_interval() == 4);
  schedule.set_next_step(1);
  CHECK(gathering(schedule, 20) == std::vector<std::uint64_t>{6});
}
