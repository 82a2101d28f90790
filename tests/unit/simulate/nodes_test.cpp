// SPDX-License-Identifier: Apache-2.0
// Nodes::of() equals the division.
#include "lb/simulate/nodes.hpp"

#include <doctest/doctest.h>

#include "lb/kernel/random.hpp"

using namespace skein::simulate;

TEST_CASE("nodes: the node of a PE is its number divided by the PEs of a node") {
  skein::lb::Random random(5);
  for (int i = 0; i < 20000; ++i) {
    Platform platform;
    // The smallest ones, and others of any length.
    platform.pes_per_node = i < 70 ? static_cast<std::uint32_t>(i) + 1
                                   : static_cast<std::uint32_t>(random.bits() >> (32 + random.below(31))) | 1;
    const Nodes nodes(platform);
    const std::uint32_t first = platform.pes_per_node * static_cast<std::uint32_t>(random.below(100));
    for (const PeIndex pe : {PeIndex{0}, first - 1, first, first + platform.pes_per_node - 1, ~PeIndex{0},
                             static_cast<PeIndex>(random.bits())})
      REQUIRE(nodes.of(pe) == pe / platform.pes_per_node);
  }
}
