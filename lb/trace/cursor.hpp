// SPDX-License-Identifier: Apache-2.0
// The inside of Cursor: plays the chunks of a stream.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "lb/trace/chunk.hpp"
#include "skein/lb/trace.hpp"

namespace skein::trace {

class Cursor::Source {
 public:
  /// `keep` holds what the chunks are part of.
  Source(std::shared_ptr<const void> keep, std::span<const Chunk> chunks)
      : keep_(std::move(keep)), chunks_(chunks) {}
  const Event* next();

 private:
  std::shared_ptr<const void> keep_;
  std::span<const Chunk> chunks_;  // the first is the one that is played
  const std::uint8_t *index_at_ = nullptr, *numbers_at_ = nullptr;
  std::uint64_t played_ = 0;  // events of the first chunk
  Event event_;
  std::vector<std::int64_t> counters_;
};

}  // namespace skein::trace
