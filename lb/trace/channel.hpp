// SPDX-License-Identifier: Apache-2.0
// A channel is all messages of one sender, receiver, communicator and tag. They keep their order: its k-th
// send goes to its k-th receive that took one (skein/lb/trace.hpp).
#pragma once
#include <compare>
#include <cstdint>

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

}  // namespace skein::trace
