// SPDX-License-Identifier: Apache-2.0
// The calls of elements since the last LB step: the edges of the snapshot. note_traffic()
// (skein/chare/array_base.hpp) notes them once for each call that an element makes, so it has to be quick. An
// element calls the same others in the same order again and again, so the edge is nearly always the one
// behind the last. The remaining cost is cache misses: so an edge holds its index itself, and an element its
// edges, which it keeps over LB steps.
#pragma once

#include <boost/container/small_vector.hpp>
#include <span>
#include <unordered_map>
#include <vector>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// Calls to one element.
struct CallEdge {
  std::uint32_t array;
  std::uint32_t messages = 0;  ///< since the last LB step; may be 0
  std::uint64_t bytes = 0;
  boost::container::small_vector<std::byte, 24> packed_index;  // an Index6 has so many

  CallEdge(std::uint32_t its_array, Bytes its_index)
      : array(its_array), packed_index(its_index.begin(), its_index.end()) {}
  Bytes index() const { return {packed_index.data(), packed_index.size()}; }
  bool is_to(std::uint32_t its_array, Bytes its_index) const;
};

/// The calls of one element.
class CallEdges {
 public:
  void note(std::uint32_t array, Bytes index, std::size_t bytes);
  /// Returns the edges since the last LB step.
  std::span<const CallEdge> all() const;
  /// Counts anew, without the edges that were not used in the last interval.
  void begin_interval();

 private:
  /// Returns the place of an edge, at the end if it is new.
  std::size_t find_or_add(std::uint32_t array, Bytes index);

  std::vector<CallEdge> edges_;
  std::size_t next_ = 0;        // the edge behind the last that was noted
  std::uint64_t interval_ = 0;  // of the counts
  /// Places in edges_ of those before `hashed_`: used if there are many.
  std::unordered_multimap<std::size_t, std::size_t> by_hash_;
  std::size_t hashed_ = 0;
};

/// Returns the elements that an element of this PE has called, how often, and with how many bytes.
std::span<const CallEdge> calls_of(const Element& element);
/// Drops the calls noted of this element so far.
void forget_calls_of(Element& element);
/// Drops all calls noted so far. Called at an LB step.
void forget_calls();

}  // namespace skein::chare
