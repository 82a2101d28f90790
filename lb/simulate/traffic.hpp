// SPDX-License-Identifier: Apache-2.0
// The messages between objects since the last LB step: the communication graph that strategies get.
#pragma once
#include <cstdint>
#include <vector>

#include "lb/simulate/large_pages.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::simulate {

/// A table with open addressing: one memory access for a message.
class Traffic {
 public:
  void note(lb::ObjectIndex from, lb::ObjectIndex to, std::uint64_t bytes) {
    if (2 * used_ >= edges_.size()) grow();
    lb::CommEdge& edge = place(from, to);
    if (edge.messages == 0) {
      edge = {from, to, 0, 0};
      ++used_;
      if (!taken_.empty()) taken_[from].push_back(edge);
    }
    edge.bytes += static_cast<double>(bytes);
    ++edge.messages;
  }
  /// Returns all edges, by sender and receiver, and begins anew.
  std::vector<lb::CommEdge> take();

  /// Must be called before the first message if take_of() is to be used.
  void keep_by_sender(std::size_t objects) { taken_.resize(objects); }
  /// Appends what `from` has sent since the last call for it.
  void take_of(lb::ObjectIndex from, std::vector<lb::CommEdge>& out);

 private:
  static constexpr lb::CommEdge free{.from = 0, .to = 0, .bytes = 0, .messages = 0};
  /// Returns the edge of these two, or a free one, which has no messages.
  lb::CommEdge& place(lb::ObjectIndex from, lb::ObjectIndex to) {
    const std::size_t mask = edges_.size() - 1;
    const std::uint64_t hash = (static_cast<std::uint64_t>(from) << 32 | to) * 0x9e3779b97f4a7c15;
    std::size_t i = (hash ^ hash >> 29) >> 8 & mask;
    while (edges_[i].messages != 0 && (edges_[i].from != from || edges_[i].to != to)) i = (i + 1) & mask;
    return edges_[i];
  }
  void grow();

  LargeVector<lb::CommEdge> edges_ = LargeVector<lb::CommEdge>(64, free);  // their number is a power of two
  std::size_t used_ = 0;
  std::vector<std::vector<lb::CommEdge>> taken_;  // by sender: the edges that were taken so far
};

}  // namespace skein::simulate
