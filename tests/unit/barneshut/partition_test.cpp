// SPDX-License-Identifier: Apache-2.0
#include "apps/barneshut/mpi/partition.hpp"

#include <doctest/doctest.h>

using namespace barneshut;
using apps::Vec3;
using Work = std::vector<std::uint64_t>;
using Processes = std::vector<int>;

TEST_CASE("costzones: a piece goes to the zone where its middle is") {
  CHECK(costzones(Work{1, 1, 1, 1}, 2) == Processes{0, 0, 1, 1});
  // The pieces' middles are at 3, 6.5, 7.5 of 8, in zones of 4.
  CHECK(costzones(Work{6, 1, 1}, 2) == Processes{0, 1, 1});
  // The pieces' middles are at 0.5, 4, 7.5, 8.5 of 9, in zones of 3.
  CHECK(costzones(Work{1, 6, 1, 1}, 3) == Processes{0, 1, 2, 2});
  CHECK(costzones(Work{0, 0}, 3) == Processes{0, 0});
  CHECK(costzones(Work{0, 5, 0}, 1) == Processes{0, 0, 0});
  CHECK(costzones(Work{}, 4).empty());
}

TEST_CASE("orb: cuts across the longest side, by work, with processes shared out as evenly as they can") {
  const std::vector<Vec3> row{{3, 0, 0}, {0, 1, 0}, {1, 0, 0}, {2, 1, 0}};
  CHECK(orb(row, Work{1, 1, 1, 1}, 2) == Processes{1, 0, 0, 1});
  // The border at half of 8 lies within the first object in x, whose middle is before the border.
  CHECK(orb(row, Work{1, 6, 1, 0}, 2) == Processes{1, 0, 1, 1});
  // Three processes: the first cut separates a third of the work, the second halves the rest, along y, where
  // it is longer.
  const std::vector<Vec3> bent{{0, 0, 0}, {10, 0, 0}, {10, 8, 0}};
  CHECK(orb(bent, Work{2, 2, 2}, 3) == Processes{0, 1, 2});
  // Objects at equal places are ordered by their number.
  CHECK(orb(std::vector<Vec3>(4), Work{1, 1, 1, 1}, 4) == Processes{0, 1, 2, 3});
  CHECK(orb(std::vector<Vec3>{}, Work{}, 3).empty());
}
