// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/traffic.hpp"

#include <cstring>
#include <string_view>

namespace skein::chare {

bool traffic_wanted = false;

namespace {

std::unordered_map<const Element*, CallEdges> calls;
// An entry method makes several calls, as a rule.
const Element* last_caller = nullptr;
CallEdges* last_edges = nullptr;

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace

bool CallEdge::is_to(std::uint32_t its_array, Bytes its_index) const {
  return array == its_array && index == text_of(its_index);
}

void CallEdges::note(std::uint32_t array, Bytes index, std::size_t bytes) {
  const bool foreseen = next_ < edges_.size() && edges_[next_].is_to(array, index);
  const std::size_t place = foreseen ? next_ : find_or_add(array, index);
  edges_[place].bytes += bytes;
  ++edges_[place].messages;
  next_ = place + 1 == edges_.size() ? 0 : place + 1;
}

std::size_t CallEdges::find_or_add(std::uint32_t array, Bytes index) {
  const std::size_t hash = std::hash<std::string_view>{}(text_of(index)) ^ (array * 0x9e3779b97f4a7c15u);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto at = first; at != last; ++at)
    if (edges_[at->second].is_to(array, index)) return at->second;
  by_hash_.emplace(hash, edges_.size());
  edges_.push_back({array, 0, std::string(text_of(index)), 0});
  return edges_.size() - 1;
}

void note_traffic(const Element& from, std::uint32_t array, Bytes index, std::size_t bytes) {
  if (&from != last_caller) {
    last_edges = &calls[&from];
    last_caller = &from;
  }
  last_edges->note(array, index, bytes);
}

std::span<const CallEdge> calls_of(const Element& element) {
  const auto found = calls.find(&element);
  return found == calls.end() ? std::span<const CallEdge>() : found->second.all();
}

void forget_traffic(const Element& element) {
  calls.erase(&element);
  if (last_caller == &element) last_caller = nullptr;
}

void forget_calls() {
  calls.clear();
  last_caller = nullptr;
}

}  // namespace skein::chare
