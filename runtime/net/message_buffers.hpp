// SPDX-License-Identifier: Apache-2.0
// Buffers of active messages that go through the MPI underneath, or from a PE to itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/net/lengths.hpp"

namespace skein::net {

struct WireHeader {
  std::uint32_t handler;
  std::uint32_t bytes;
};

struct MessageBuffer {
  alignas(64) std::byte bytes[sizeof(WireHeader) + kLongestMessage];
};

/// Keeps free buffers for their next use: as many as most jobs ever have under way. The surplus of a burst is
/// freed.
class MessageBuffers {
 public:
  static constexpr std::size_t most_kept = 64;

  std::unique_ptr<MessageBuffer> take() {
    if (free_.empty()) return std::make_unique_for_overwrite<MessageBuffer>();
    std::unique_ptr<MessageBuffer> buffer = std::move(free_.back());
    free_.pop_back();
    return buffer;
  }
  void give_back(std::unique_ptr<MessageBuffer> buffer) {
    if (free_.size() < most_kept) free_.push_back(std::move(buffer));
  }
  std::size_t kept() const { return free_.size(); }
  void clear() { free_.clear(); }

 private:
  std::vector<std::unique_ptr<MessageBuffer>> free_;
};

}  // namespace skein::net
