// SPDX-License-Identifier: Apache-2.0
// A channel is all messages of one sender, receiver, communicator and tag. They keep their order: the k-th
// send goes to the k-th receive that took a message (skein/lb/trace.hpp).
#pragma once
#include <compare>
#include <cstdint>
#include <map>
#include <string>

#include "skein/lb/trace.hpp"

namespace skein::trace {

struct Channel {
  ObjectIndex sender = 0, receiver = 0;
  std::uint32_t communicator = 0;
  std::int32_t tag = 0;
  auto operator<=>(const Channel&) const = default;
};

struct ChannelHash {
  std::size_t operator()(const Channel& channel) const {
    std::uint64_t hash = std::uint64_t{channel.sender} << 32 | channel.receiver;
    hash = (hash ^ hash >> 29) * 0x9e3779b97f4a7c15u;
    hash ^= std::uint64_t{channel.communicator} << 32 | static_cast<std::uint32_t>(channel.tag);
    hash = (hash ^ hash >> 29) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
  }
};

// Lines: which collectives of a communicator's members belong together.

/// Collectives that each member starts in one order: the k-th of one member is the k-th of all. All
/// collectives of a communicator except persistent ones form one line; the starts of each persistent one form
/// another, and may come anywhere among the others (MPI 4.1, 6.13).
struct CollectiveLine {
  std::uint32_t communicator = 0;
  std::int32_t persistent = 0;  // Event::tag
  auto operator<=>(const CollectiveLine&) const = default;
};

inline CollectiveLine line_of(const Event& collective) { return {collective.communicator, collective.tag}; }

/// Returns "communicator 3" or "communicator 3 (persistent one 2)".
inline std::string text_of(const CollectiveLine& line) {
  std::string text = "communicator " + std::to_string(line.communicator);
  if (line.persistent != 0) text += " (persistent one " + std::to_string(line.persistent) + ")";
  return text;
}

/// Counts the collectives of one object as they come.
class CollectiveCounter {
 public:
  /// Returns how many collectives of this one's line came before.
  std::uint64_t count(const Event& collective) { return counts_[line_of(collective)]++; }
  const std::map<CollectiveLine, std::uint64_t>& counts() const { return counts_; }

 private:
  std::map<CollectiveLine, std::uint64_t> counts_;
};

}  // namespace skein::trace
