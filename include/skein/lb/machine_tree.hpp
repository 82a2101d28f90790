// SPDX-License-Identifier: Apache-2.0
// What the topology of a job is made of (make_topology() in skein/lb/snapshot.hpp): the parts of a machine
// that a run can find out about, and what messages that pass them cost, if nobody has measured it. Of what
// strategies make of these costs, ratios matter most: networks of 2 us and 4 GB/s, memory of another package
// or domain at about twice the latency of a shared cache.
#pragma once
#include <cstdint>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

inline constexpr Domain usual_network{0, 2.0e-6f, 1 / 4e9f}, usual_node{0, 0.8e-6f, 1 / 8e9f},
    usual_package{0, 0.6e-6f, 1 / 10e9f}, usual_domain{0, 0.5e-6f, 1 / 10e9f},
    usual_cache{0, 0.3e-6f, 1 / 15e9f};

inline Domain named(Domain part, std::uint64_t name) {
  part.name = name;
  return part;
}

/// The way to a PE of this node, as far as the node.
inline std::vector<Domain> way_to_node(std::uint64_t node) {
  return {usual_network, named(usual_node, node)};
}

}  // namespace skein::lb
