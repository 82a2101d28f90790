// SPDX-License-Identifier: Apache-2.0
#include "apps/barneshut/octant.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace barneshut;

TEST_CASE("octant: keys are Morton numbers, x first") {
  const Root root{2};
  CHECK(root.key_of({-2, -2, -2}) == 0);
  const std::uint64_t octant = std::uint64_t{1} << 60;  // keys of a child of the root
  CHECK(root.key_of({0, -2, -2}) == 4 * octant);
  CHECK(root.key_of({-2, 0, -2}) == 2 * octant);
  CHECK(root.key_of({-2, -2, 0}) == octant);
  CHECK(root.key_of({1, -2, -2}) == 4 * octant + 4 * (octant / 8));
  // The smallest cells have sides of 4 / 2^21.
  CHECK(root.key_of({-2, -2, -2 + std::ldexp(1.0, -19)}) == 1);
  CHECK(root.key_of({-2, -2, -2 + std::ldexp(0.999, -19)}) == 0);
  const double most = std::nextafter(2.0, 0.0);
  CHECK(root.key_of({most, most, most}) == 8 * octant - 1);
}

TEST_CASE("octant: the root holds what is inside of it, and no place that is no number") {
  const Root root{2};
  CHECK(root.holds({-2, 0, std::nextafter(2.0, 0.0)}));
  CHECK_FALSE(root.holds({0, 0, 2}));
  CHECK_FALSE(root.holds({0, std::nextafter(-2.0, -3.0), 0}));
  CHECK_FALSE(root.holds({std::numeric_limits<double>::quiet_NaN(), 0, 0}));
}

TEST_CASE("octant: children are where their keys say") {
  const Root root{8};
  const Octant all;
  CHECK(root.side_of(0) == 16);
  const Octant child = all.child(6).child(1);  // +x +y -z of all, then -x -y +z of that
  CHECK(child.level == 2);
  CHECK(root.side_of(2) == 4);
  const Vec3 middle = root.middle_of(child);
  CHECK(middle.x == 2);
  CHECK(middle.y == 2);
  CHECK(middle.z == -2);
  CHECK(child.holds(root.key_of(middle)));
  CHECK_FALSE(child.holds(root.key_of({4, 2, -2})));
  CHECK(all.child(6).end() == all.child(7).first);
  CHECK_FALSE(all.child(6).holds(all.child(7).first));
}
