// SPDX-License-Identifier: Apache-2.0
// A piece of an object's stream in its compressed form; docs/trace-format.md describes the bytes.
//
// The numbers of each shape are stored together, because they are alike: waits with waits, the long bursts of
// steps with each other. Each number is a symbol (its length and its two upper bits), which entropy coding
// makes small, and its lower bits, which are noise: they are stored apart and not compressed.
//
// Shapes carry over from one piece to the next: a piece does not repeat the shapes of the last one.
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

/// Packs a piece whose first `known` shapes are in the piece before it.
PackedPiece pack(const ChunkView& chunk, std::size_t known, Precision precision = Precision::exact);

struct PieceView {
  std::span<const std::uint8_t> structure, symbols, noise;
};

/// Returns how many shapes the piece takes over from the one before it.
std::size_t known_shapes(const PieceView& piece, const std::string& called);
/// Adds the piece to the chunk with the shapes that it takes over. Throws TraceError, whose text begins with
/// `called`, for bytes that pack() does not make. Checks kinds, but neither names nor objects.
void unpack(const PieceView& piece, Chunk& chunk, const std::string& called);

}  // namespace skein::trace
