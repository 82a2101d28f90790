// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/pe_grid.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using skein::chare::PeGrid;

TEST_CASE("grid of PEs: as many dimensions as keep the buffers of a PE few") {
  CHECK(PeGrid(1, 0).dimensions() == 1);
  CHECK(PeGrid(64, 0).dimensions() == 1);
  CHECK(PeGrid(65, 0).dimensions() == 2);
  CHECK(PeGrid(4096, 0).dimensions() == 2);
  CHECK(PeGrid(4097, 0).dimensions() == 3);
  CHECK(PeGrid(65, 1).is_direct());
  CHECK_FALSE(PeGrid(2, 3).is_direct());
}

TEST_CASE("grid of PEs: by row and column, worked out by hand") {
  // 0 1 2
  // 3 4 5
  // 6 7
  const PeGrid grid(8, 2);
  CHECK(grid.next_hop(0, 5) == 2);
  CHECK(grid.next_hop(2, 5) == 5);
  CHECK(grid.next_hop(3, 7) == 4);
  CHECK(grid.next_hop(7, 2) == 1);  // there is no PE 8
  CHECK(grid.next_hop(4, 4) == 4);
  CHECK(PeGrid(8, 1).next_hop(7, 2) == 2);
}

TEST_CASE(
    "grid of PEs: every PE reaches every other in as many steps as there are dimensions, by PEs that exist") {
  for (int dimensions = 1; dimensions <= PeGrid::most_dimensions; ++dimensions)
    for (int pes = 1; pes <= 130; ++pes) {
      const PeGrid grid(pes, dimensions);
      for (int from = 0; from < pes; ++from)
        for (int to = 0; to < pes; ++to) {
          int at = from, steps = 0;
          for (; at != to && steps < dimensions; ++steps) {
            at = grid.next_hop(at, to);
            REQUIRE(at >= 0);
            REQUIRE(at < pes);
          }
          CHECK(at == to);
        }
    }
}

TEST_CASE("grid of PEs: a PE sends to those of its row in each dimension only") {
  for (const int pes : {65, 100, 1000, 5000})
    for (int dimensions = 1; dimensions <= PeGrid::most_dimensions; ++dimensions) {
      const double side = std::ceil(std::pow(pes, 1.0 / dimensions) - 1e-9);
      for (const int from : {0, 7, pes / 2, pes - 1}) {
        std::vector<int> hops = PeGrid(pes, dimensions).next_hops(from);
        CHECK(hops[static_cast<std::size_t>(from)] == from);
        std::ranges::sort(hops);
        const auto others = std::ranges::unique(hops);
        CHECK(static_cast<double>(others.begin() - hops.begin()) <= 1 + dimensions * (side - 1));
      }
    }
}
