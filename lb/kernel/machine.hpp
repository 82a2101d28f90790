// SPDX-License-Identifier: Apache-2.0
// The machine as topology-aware strategies see it: a tree with the cost of messages at every vertex.
#pragma once
#include <cstdint>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// Seconds for one message: latency_s + byte_s x bytes.
struct MessageCost {
  double latency_s;
  double byte_s;
};

class Machine {
 public:
  /// Takes the snapshot's topology; without one, makes a root with a vertex for each node below it. If the
  /// topology has no costs, vertices over PEs of several nodes count as a network and all others as shared
  /// memory:
  ///   2 us and 4 GB/s, 0.5 us and 10 GB/s. On one PE a message is a copy: 0.1 us and 20 GB/s.
  explicit Machine(const Snapshot& snapshot);

  const Topology& tree() const { return tree_; }

  /// Returns the lowest vertex above both PEs. O(depth).
  std::uint32_t meeting(PeIndex p, PeIndex q) const;
  MessageCost between(PeIndex p, PeIndex q) const;
  MessageCost at(std::uint32_t vertex) const { return {tree_.latency_s[vertex], tree_.byte_s[vertex]}; }

 private:
  Topology tree_;
  std::vector<std::uint32_t> depth_;
};

}  // namespace skein::lb
