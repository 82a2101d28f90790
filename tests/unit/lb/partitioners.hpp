// SPDX-License-Identifier: Apache-2.0
// For tests of strategies on partitioning libraries: tells whether this build has one, and makes graphs whose
// best partition is known.
#pragma once
#include <doctest/doctest.h>

#include <string_view>
#include <vector>

#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

namespace skein::lb::test {

// Returns true if this build has the library; else prints so, and the test has nothing to do.
inline bool available(std::string_view name) {
  for (const StrategyInfo& info : strategies()) {
    if (info.name != name) continue;
    const std::string reason = why_unavailable(info);
    if (!reason.empty()) MESSAGE(name << " " << reason);
    return reason.empty();
  }
  return false;
}

// Returns `groups` groups of `size` objects of load 1: all pairs in a group exchange 1000 bytes, and groups
// form a ring whose neighbours exchange 1 byte. Objects are dealt out to the PEs in turn, so that no group is
// together.
inline Snapshot make_groups(std::size_t groups, std::size_t size, std::size_t pes) {
  Snapshot snapshot;
  snapshot.pes = uniform_pes(pes);
  std::vector<CommEdge> edges;
  const auto object = [&](std::size_t group, std::size_t k) {
    return static_cast<ObjectIndex>(group * size + k);
  };
  for (std::size_t group = 0; group < groups; ++group) {
    for (std::size_t k = 0; k < size; ++k) {
      snapshot.add_object(
          {.id = object(group, k), .pe = static_cast<PeIndex>(k % pes), .load = 1, .bytes = 100});
      for (std::size_t other = 0; other < size; ++other) {
        if (other != k) edges.push_back({object(group, k), object(group, other), 1000});
      }
    }
    if (groups > 1) edges.push_back({object(group, 0), object((group + 1) % groups, 0), 1});
  }
  snapshot.graph = make_comm_graph(groups * size, edges);
  return snapshot;
}

}  // namespace skein::lb::test
