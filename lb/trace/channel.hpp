// SPDX-License-Identifier: Apache-2.0
// Messages of one channel keep their order: the k-th send goes to the k-th receive that takes one.
#pragma once
#include <cstdint>
#include <tuple>

#include "skein/lb/trace.hpp"

namespace skein::trace {

struct Channel {
  ObjectIndex from = 0, to = 0;
  std::uint32_t communicator = 0;
  std::int32_t tag = 0;
  auto key() const { return std::tuple(from, to, communicator, tag); }
  bool operator==(const Channel& other) const { return key() == other.key(); }
};

struct ChannelHash {
  std::size_t operator()(const Channel& channel) const {
    std::uint64_t hash = std::uint64_t{channel.from} << 32 | channel.to;
    hash = (hash ^ hash >> 29) * 0x9e3779b97f4a7c15u;
    hash ^= std::uint64_t{channel.communicator} << 32 | static_cast<std::uint32_t>(channel.tag);
    hash = (hash ^ hash >> 29) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
  }
};

}  // namespace skein::trace
