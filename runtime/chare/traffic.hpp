// SPDX-License-Identifier: Apache-2.0
// Whom elements call, and how much, since the last LB step: the edges of the snapshot. Noted by
// note_traffic() and forgotten by forget_traffic() (skein/chare/array_base.hpp), the former once for each
// call that an element makes, so it has to be quick: an element calls the same others in the same order again
// and again, so the edge is nearly always the one behind the last.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// Calls to one element.
struct CallEdge {
  std::uint32_t array;
  std::uint32_t messages;
  std::string index;  ///< its bytes
  std::uint64_t bytes;

  bool is_to(std::uint32_t its_array, Bytes its_index) const;
};

/// Whom one element calls.
class CallEdges {
 public:
  void note(std::uint32_t array, Bytes index, std::size_t bytes);
  std::span<const CallEdge> all() const { return edges_; }

 private:
  std::size_t find_or_add(std::uint32_t array, Bytes index);

  std::vector<CallEdge> edges_;
  std::unordered_multimap<std::size_t, std::size_t> by_hash_;  // places in edges_
  std::size_t next_ = 0;                                       // the edge behind the last that was noted
};

/// Of an element on this PE.
std::span<const CallEdge> calls_of(const Element& element);
void forget_calls();

}  // namespace skein::chare
