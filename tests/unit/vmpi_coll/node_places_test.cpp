// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/meeting/node_places.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "runtime/net/transport.hpp"

using skein::vmpi::NodePlaces;
using skein::vmpi::RoundKind;

namespace {

/// Makes this PE believe that it is on `node`, as long as the object lives.
class WorldOf {
 public:
  WorldOf(int node, std::vector<int> node_of) {
    skein::net::world.node = node;
    skein::net::world.nodes = node_of.back() + 1;
    skein::net::world.pes = static_cast<int>(node_of.size());
    skein::net::world.node_of = std::move(node_of);
  }
  ~WorldOf() { skein::net::world = {}; }
};

std::vector<std::pair<int, int>> pairs(const NodePlaces& places) {
  std::vector<std::pair<int, int>> all;
  for (const NodePlaces::Place& at : places.of) all.emplace_back(at.node, at.place);
  return all;
}

}  // namespace

TEST_CASE("places on nodes: by the numbers of the PEs, whatever the order of their leaders") {
  const WorldOf world(1, {0, 0, 0, 1, 1, 2});
  const int pes[] = {4, 2, 5, 0, 3};
  const NodePlaces places(pes);
  CHECK(pairs(places) == std::vector<std::pair<int, int>>{{1, 1}, {0, 1}, {2, 0}, {0, 0}, {1, 0}});
  CHECK(places.own_node == std::vector{3, 4});
  CHECK(places.most_pes == 2);
  CHECK(places.have_all_first);
}

TEST_CASE("places on nodes: without the first PE of a node, or without a node, there is no channel") {
  const WorldOf world(0, {0, 0, 1, 1});
  const int without_first[] = {0, 1, 3}, without_node[] = {0, 1}, firsts[] = {2, 0};
  CHECK_FALSE(NodePlaces(without_first).have_all_first);
  CHECK_FALSE(NodePlaces(without_node).have_all_first);
  CHECK(NodePlaces(firsts).have_all_first);
}

TEST_CASE("places on nodes: what is shown at once has room for the heads of blocks") {
  const WorldOf world(0, {0, 0, 1, 1});
  const int pes[] = {0, 1, 2, 3};
  const NodePlaces places(pes);
  // Blocks are multiples of 16 in 8192 bytes, of which 16 tell the length of each block and its call.
  CHECK(places.fits(8192 - 16, RoundKind::one_block));
  CHECK_FALSE(places.fits(8192 - 15, RoundKind::one_block));
  CHECK(places.fits(8192 / 4 - 16, RoundKind::blocks));
  CHECK_FALSE(places.fits(8192 / 4 - 15, RoundKind::blocks));
  // Two nodes may combine all blocks at once: 64 KiB in all.
  CHECK(places.fits(8192, RoundKind::combined));
  CHECK_FALSE(places.fits(8193, RoundKind::combined));
}
