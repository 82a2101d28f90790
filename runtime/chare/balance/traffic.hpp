// SPDX-License-Identifier: Apache-2.0
// Whom elements call, and how much, since the last LB step: the edges of the snapshot. Noted by
// note_traffic() (skein/chare/array_base.hpp) once for each call that an element makes, so it has to be
// quick: an element calls the same others in the same order again and again, so the edge is nearly always the
// one behind the last. What it then costs is memory that is not in the cache: so an edge holds its index
// itself, and an element its edges, which it keeps over LB steps.
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
  std::uint32_t messages = 0;  ///< since the last LB step; may be none
  std::uint64_t bytes = 0;
  boost::container::small_vector<std::byte, 24> packed_index;  // an Index6 has so many

  CallEdge(std::uint32_t its_array, Bytes its_index)
      : array(its_array), packed_index(its_index.begin(), its_index.end()) {}
  Bytes index() const { return {packed_index.data(), packed_index.size()}; }
  bool is_to(std::uint32_t its_array, Bytes its_index) const;
};

/// Whom one element calls.
class CallEdges {
 public:
  void note(std::uint32_t array, Bytes index, std::size_t bytes);
  /// Since the last LB step.
  std::span<const CallEdge> all() const;
  /// Counts anew, without the edges that nothing went along in the last interval.
  void begin_interval();

 private:
  /// Its place, at the end if it is new.
  std::size_t find_or_add(std::uint32_t array, Bytes index);

  std::vector<CallEdge> edges_;
  std::size_t next_ = 0;        // the edge behind the last that was noted
  std::uint64_t interval_ = 0;  // in which the counts were made
  /// Places in edges_, of those before `hashed_`: where there are many.
  std::unordered_multimap<std::size_t, std::size_t> by_hash_;
  std::size_t hashed_ = 0;
};

/// Whom an element of this PE has called, how often, with how many bytes.
std::span<const CallEdge> calls_of(const Element& element);
/// What was noted of this element before counts no longer.
void forget_calls_of(Element& element);
/// There is an LB step: what was noted before counts no longer.
void forget_calls();

}  // namespace skein::chare
