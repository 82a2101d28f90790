// SPDX-License-Identifier: Apache-2.0
// A chunk as it is compressed: docs/trace-format.md tells the bytes.
//
// The numbers of each shape lie together, as they are alike: waits with waits, the long burst of a step with
// its like. Each is a symbol (how long it is, and its two upper bits), of which entropy coding makes little,
// and its lower bits, which are noise: they are packed apart and left alone.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "lb/trace/chunk.hpp"

namespace skein::trace {

struct PackedChunk {
  std::vector<std::uint8_t> text;   // shapes, their order, symbols: to be compressed
  std::vector<std::uint8_t> noise;  // the lower bits
};

PackedChunk pack(const ChunkView& chunk);
// Throws TraceError for what pack() does not make; `called` is put before its text. Kinds are checked, names
// and objects are not.
Chunk unpack(std::span<const std::uint8_t> text, std::span<const std::uint8_t> noise,
             const std::string& called);

}  // namespace skein::trace
