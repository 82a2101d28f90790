// SPDX-License-Identifier: Apache-2.0
// Cartesian topologies (MPI 4.1, section 8.5).
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "runtime/vmpi/comm/topology.hpp"
#include "tests/unit/rank_here.hpp"

using namespace skein::vmpi;
using skein::test::RankHere;

TEST_CASE("Topology: positions and ranks are each other's inverse, row-major") {
  RankHere rank;
  const std::vector<int> dims{3, 4, 5}, periods{0, 1, 0};
  Topology* const topology = make_topology(rank.state(), dims, periods, 27);
  // 27 = 1*20 + 1*5 + 2
  CHECK(std::vector<int>(topology->coords.begin(), topology->coords.end()) == std::vector<int>{1, 1, 2});
  for (int r = 0; r < 60; ++r) {
    std::vector<int> at(3);
    topology->position_of(r, at);
    CHECK(r == (at[0] * 4 + at[1]) * 5 + at[2]);
    CHECK(topology->rank_of(at) == r);
  }
  release_topology(rank.state(), topology);
}

TEST_CASE("Topology: beyond the edge is the other side where the dimension is periodic, else nobody") {
  RankHere rank;
  const std::vector<int> dims{3, 4}, periods{0, 1};
  Topology* const topology = make_topology(rank.state(), dims, periods, 0);
  const auto at = [&](int i, int j) { return topology->rank_of(std::vector<int>{i, j}); };
  CHECK(at(1, -1) == at(1, 3));
  CHECK(at(1, 4) == at(1, 0));
  CHECK(at(2, 11) == at(2, 3));
  CHECK(at(2, -9) == at(2, 3));  // -9 + 3 * 4
  CHECK(at(-1, 0) == MPI_PROC_NULL);
  CHECK(at(3, 0) == MPI_PROC_NULL);
  release_topology(rank.state(), topology);
}

namespace {

/// Returns the least difference between the greatest and the least of `count` factors of `number`, by trying
/// all.
int least_spread(int number, int count, int greatest = 0, int least = 0) {
  if (count == 0) return number == 1 ? greatest - least : -1;
  int best = -1;
  for (int factor = 1; factor <= number; ++factor) {
    if (number % factor) continue;
    const bool first = greatest == 0;
    const int spread = least_spread(number / factor, count - 1, std::max(greatest, factor),
                                    first ? factor : std::min(least, factor));
    if (spread >= 0 && (best < 0 || spread < best)) best = spread;
  }
  return best;
}

}  // namespace

TEST_CASE("balance_dims: the product is right, the order descending, the factors as near as any can be") {
  for (int count = 1; count <= 4; ++count)
    for (int nodes = 1; nodes <= 96; ++nodes) {
      std::vector<int> dims(static_cast<std::size_t>(count), 0);
      CAPTURE(nodes);
      CAPTURE(count);
      REQUIRE(balance_dims(nodes, dims));
      CHECK(std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>()) == nodes);
      CHECK(std::is_sorted(dims.rbegin(), dims.rend()));
      CHECK(dims.front() - dims.back() == least_spread(nodes, count));
    }
}

TEST_CASE("balance_dims: what the caller fixed stays; what does not divide is refused") {
  // The examples of MPI 4.1, section 8.5.2.
  std::vector<int> dims{0, 0};
  CHECK(balance_dims(6, dims));
  CHECK(dims == std::vector<int>{3, 2});
  dims = {0, 0};
  CHECK(balance_dims(7, dims));
  CHECK(dims == std::vector<int>{7, 1});
  dims = {0, 3, 0};
  CHECK(balance_dims(6, dims));
  CHECK(dims == std::vector<int>{2, 3, 1});
  dims = {0, 3, 0};
  CHECK_FALSE(balance_dims(7, dims));
}
