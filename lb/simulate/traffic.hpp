// SPDX-License-Identifier: Apache-2.0
// Who sent how much to whom since the last LB step: the communication graph that strategies get.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::simulate {

class Traffic {
 public:
  void note(lb::ObjectIndex from, lb::ObjectIndex to, std::uint64_t bytes) {
    Edge& edge = edges_[static_cast<std::uint64_t>(from) << 32 | to];
    edge.bytes += static_cast<double>(bytes);
    ++edge.messages;
  }
  // All of them, by sender and receiver; begins anew.
  std::vector<lb::CommEdge> take();

 private:
  struct Edge {
    double bytes = 0;
    std::uint32_t messages = 0;
  };
  std::unordered_map<std::uint64_t, Edge> edges_;
};

}  // namespace skein::simulate
