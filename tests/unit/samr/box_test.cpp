// SPDX-License-Identifier: Apache-2.0
#include "apps/samr/box.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace samr;

namespace {

Box random_box(std::mt19937& random) {
  Box box;
  for (std::size_t a = 0; a < axes; ++a) {
    box.first[a] = static_cast<std::int32_t>(random() % 8);
    box.end[a] = box.first[a] + 1 + static_cast<std::int32_t>(random() % 5);
  }
  return box;
}

}  // namespace

TEST_CASE("box: a difference has each cell once that is in the box and in none of the others") {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const Box box = random_box(random);
    Boxes others;
    for (int k = 0; k < 4; ++k) others.push_back(random_box(random));
    const Boxes rest = difference(box, others);
    for_each_cell(box.grown(2), [&](const Cell& c) {
      bool expected = box.contains(c);
      for (const Box& other : others) expected = expected && !other.contains(c);
      int times = 0;
      for (const Box& each : rest) times += each.contains(c);
      CHECK(times == (expected ? 1 : 0));
    });
  }
}

TEST_CASE("box: refining gives eight times the cells, and coarsening brings the box back, below 0, too") {
  const Box box{{-3, 0, 5}, {-1, 1, 8}};
  CHECK(box.refined() == Box{{-6, 0, 10}, {-2, 2, 16}});
  CHECK(box.refined().cells() == 8 * box.cells());
  CHECK(box.refined().coarsened() == box);
  CHECK(Box{{-3, 1, 1}, {-1, 2, 3}}.coarsened() == Box{{-2, 0, 0}, {0, 1, 2}});
}

TEST_CASE("box: the halves of a cut are joined again, and others are not") {
  const Box box{{0, 0, 0}, {4, 6, 5}};
  CHECK(box.longest_axis() == 1);
  const auto [lower, upper] = box.cut(1, 2);
  CHECK(lower == Box{{0, 0, 0}, {4, 2, 5}});
  CHECK(joined(lower, upper) == box);
  CHECK(joined(upper, lower) == box);
  CHECK(joined(lower, upper.grown_along(0, 1)).is_empty());
  CHECK(joined(lower, lower).is_empty());
  CHECK(joined(lower, box.cut(1, 3)[1]).is_empty());
}

TEST_CASE("box: beyond a side is one layer of cells") {
  const Box box{{0, 0, 0}, {4, 6, 5}};
  CHECK(box.beyond(0) == Box{{-1, 0, 0}, {0, 6, 5}});
  CHECK(box.beyond(5) == Box{{0, 0, 5}, {4, 6, 6}});
}
