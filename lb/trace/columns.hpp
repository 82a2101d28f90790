// SPDX-License-Identifier: Apache-2.0
// A piece of an object's stream as it is compressed: docs/trace-format.md tells the bytes.
//
// The numbers of each shape lie together, as they are alike: waits with waits, the long burst of a step with
// its like. Each is a symbol (how long it is, and its two upper bits), of which entropy coding makes little,
// and its lower bits, which are noise: they are packed apart and left alone.
//
// Shapes go on from one piece to the next: what the last one had is not told again.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lb/trace/chunk.hpp"
#include "skein/lb/trace_writer.hpp"

namespace skein::trace {

struct PackedPiece {
  std::vector<std::uint8_t> structure;  // new shapes, the order of events, the form of each column
  std::vector<std::uint8_t> symbols;    // of the numbers
  std::vector<std::uint8_t> noise;      // their lower bits
};

/// Packs a piece. The first `known` shapes are in the piece before.
PackedPiece pack(const ChunkView& chunk, std::size_t known, Precision precision = Precision::exact);

struct PieceView {
  std::span<const std::uint8_t> structure, symbols, noise;
};

/// How many shapes the piece takes over from the one before.
std::size_t known_shapes(const PieceView& piece, const std::string& called);
/// Adds the piece to the chunk that has the shapes it goes on from. Throws TraceError for what pack() does
/// not make; `called` is put before its text. Kinds are checked, names and objects are not.
void unpack(const PieceView& piece, Chunk& chunk, const std::string& called);

}  // namespace skein::trace
