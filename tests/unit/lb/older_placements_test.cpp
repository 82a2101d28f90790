// SPDX-License-Identifier: Apache-2.0
// What the fullest PE would take on placements of intervals before the last one.
#include "lb/planner/older_placements.hpp"

#include <doctest/doctest.h>

#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

namespace {

OlderPlacements::Gained step(OlderPlacements& older, const std::vector<double>& loads, const Assignment& pe,
                             double points) {
  return older.add(test::make_snapshot(2, loads, pe), points);
}

}  // namespace

TEST_CASE("older placements: those before the last one, over the points since they were left") {
  const Assignment first{0, 0, 1, 1}, second{0, 1, 0, 1}, third{0, 1, 1, 0}, fourth{0, 0, 0, 1};
  OlderPlacements older;
  CHECK(step(older, {1, 1, 1, 1}, first, 2).points == 0);
  // Of the one before, the interval itself tells.
  CHECK(step(older, {1, 1, 1, 1}, second, 3).points == 0);
  // 4 + 1 and 3 + 2; on the first placement 4 + 3.
  const OlderPlacements::Gained one = step(older, {4, 3, 2, 1}, third, 4);
  CHECK(one.excess == doctest::Approx(7 - 5));
  CHECK(one.points == 4 + 3);
  // 4 + 3 + 2; on the second placement 4 + 2, on the first 4 + 3.
  const OlderPlacements::Gained two = step(older, {4, 3, 2, 1}, fourth, 1);
  CHECK(two.excess == doctest::Approx((6 - 9) + (7 - 9)));
  CHECK(two.points == (1 + 4) + (1 + 4 + 3));
  // The first is forgotten: the third and the second have two objects on each PE, this one has four on one.
  const OlderPlacements::Gained three = step(older, {1, 1, 1, 1}, {0, 0, 0, 0}, 2);
  CHECK(three.excess == doctest::Approx((2 - 4) + (2 - 4)));
  CHECK(three.points == (2 + 1) + (2 + 1 + 4));
}

TEST_CASE("older placements: other objects have none") {
  OlderPlacements older;
  for (int k = 0; k < 3; ++k) step(older, {1, 1}, {0, 1}, 1);
  CHECK(step(older, {1, 1}, {0, 0}, 1).points == 2 + 3);
  CHECK(step(older, {1, 1, 1}, {0, 0, 1}, 1).points == 0);
}
