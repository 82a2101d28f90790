// SPDX-License-Identifier: Apache-2.0
#include "apps/samr/cluster.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>

using namespace samr;

namespace {

std::vector<Cell> cells_of_all(const Boxes& boxes) {
  std::vector<Cell> cells;
  for (const Box& box : boxes) for_each_cell(box, [&](const Cell& c) { cells.push_back(c); });
  return cells;
}

}  // namespace

TEST_CASE("cluster: what is flagged as boxes with gaps comes out as these boxes") {
  const Boxes boxes{{{0, 0, 0}, {4, 4, 4}}, {{0, 7, 0}, {3, 10, 3}}, {{6, 0, 2}, {9, 4, 6}}};
  CHECK(clustered(cells_of_all(boxes), {}) == boxes);
}

TEST_CASE("cluster: a block beside a larger one is cut off where the signature bends") {
  const Boxes boxes{{{0, 0, 0}, {8, 8, 8}}, {{8, 0, 0}, {12, 3, 3}}};
  CHECK(clustered(cells_of_all(boxes), {0.9, 2, 16}) == boxes);
}

TEST_CASE("cluster: boxes cover all flags once, are full enough or cannot be cut, and not too long") {
  std::mt19937 random(7);
  for (const double efficiency : {0.5, 0.7, 0.9}) {
    std::set<Cell> flags;
    for (int blob = 0; blob < 12; ++blob) {
      Box box;
      for (std::size_t a = 0; a < axes; ++a) {
        box.first[a] = static_cast<std::int32_t>(random() % 40);
        box.end[a] = box.first[a] + 1 + static_cast<std::int32_t>(random() % 9);
      }
      for_each_cell(box, [&](const Cell& c) { flags.insert(c); });
    }
    const Clustering how{efficiency, 2, 12};
    const Boxes boxes = clustered({flags.begin(), flags.end()}, how);
    std::size_t covered = 0;
    for (const Box& box : boxes) {
      std::size_t inside = 0;
      for_each_cell(box, [&](const Cell& c) { inside += flags.contains(c); });
      covered += inside;
      CHECK(box.length(box.longest_axis()) <= how.greatest);
      const bool can_be_cut = box.length(box.longest_axis()) >= 2 * how.least;
      CHECK((!can_be_cut || static_cast<double>(inside) >= efficiency * static_cast<double>(box.cells())));
      for (const Box& other : boxes) CHECK((&other == &box || !overlap(box, other)));
    }
    CHECK(covered == flags.size());
  }
}

TEST_CASE("cluster: the order of flags does not matter, and none give none") {
  std::vector<Cell> flags = cells_of_all({{{0, 0, 0}, {5, 3, 2}}, {{4, 4, 4}, {9, 6, 9}}});
  const Boxes boxes = clustered(flags, {});
  std::ranges::shuffle(flags, std::mt19937(3));
  CHECK(clustered(flags, {}) == boxes);
  CHECK(clustered({}, {}).empty());
}
