// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/balance/traffic.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include "runtime/chare/balance/balanced.hpp"

namespace skein::chare {

namespace {

/// So few edges are searched faster than a hash is computed and found.
constexpr std::size_t kFewEdges = 8;

std::size_t hash_of(std::uint32_t array, Bytes index) {
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(index.data()), index.size()}) ^
         (array * 0x9e3779b97f4a7c15u);
}

}  // namespace

bool CallEdge::is_to(std::uint32_t its_array, Bytes its_index) const {
  return array == its_array && packed_index.size() == its_index.size() &&
         memcmp(packed_index.data(), its_index.data(), its_index.size()) == 0;
}

void CallEdges::note(std::uint32_t array, Bytes index, std::size_t bytes) {
  if (interval_ != balanced->interval) begin_interval();
  const bool foreseen = next_ < edges_.size() && edges_[next_].is_to(array, index);
  const std::size_t place = foreseen ? next_ : find_or_add(array, index);
  edges_[place].bytes += bytes;
  ++edges_[place].messages;
  next_ = place + 1 == edges_.size() ? 0 : place + 1;
}

std::span<const CallEdge> CallEdges::all() const {
  return interval_ == balanced->interval ? std::span<const CallEdge>(edges_) : std::span<const CallEdge>();
}

void CallEdges::begin_interval() {
  if (std::erase_if(edges_, [](const CallEdge& edge) { return edge.messages == 0; }) > 0) {
    by_hash_.clear();
    hashed_ = 0;
  }
  for (CallEdge& edge : edges_) {
    edge.messages = 0;
    edge.bytes = 0;
  }
  next_ = 0;
  interval_ = balanced->interval;
}

std::size_t CallEdges::find_or_add(std::uint32_t array, Bytes index) {
  if (edges_.size() <= kFewEdges) {
    for (std::size_t place = 0; place < edges_.size(); ++place)
      if (edges_[place].is_to(array, index)) return place;
  } else {
    for (; hashed_ < edges_.size(); ++hashed_)
      by_hash_.emplace(hash_of(edges_[hashed_].array, edges_[hashed_].index()), hashed_);
    const auto [first, last] = by_hash_.equal_range(hash_of(array, index));
    for (auto at = first; at != last; ++at)
      if (edges_[at->second].is_to(array, index)) return at->second;
  }
  edges_.emplace_back(array, index);
  return edges_.size() - 1;
}

void EndCallEdges::operator()(CallEdges* edges) const { delete edges; }

void note_traffic(Element& from, std::uint32_t array, Bytes index, std::size_t bytes) {
  auto& calls = from.rare_made().calls;
  if (!calls) calls.reset(new CallEdges);
  calls->note(array, index, bytes);
}

std::span<const CallEdge> calls_of(const Element& element) {
  const auto& calls = element.rare().calls;
  return calls ? calls->all() : std::span<const CallEdge>();
}

void forget_calls_of(Element& element) {
  if (const auto& calls = element.rare().calls) calls->begin_interval();
}
void forget_calls() { ++balanced->interval; }

}  // namespace skein::chare
