// SPDX-License-Identifier: Apache-2.0
// Collects pieces of many objects' streams in one chunk of the file: they are alike, so that compression
// together stores their common parts once.
#pragma once
#include <cstdint>
#include <vector>

#include "lb/trace/bytes.hpp"
#include "lb/trace/columns.hpp"

namespace skein::trace {

class PieceGroup {
 public:
  void add(ObjectIndex object, std::uint64_t serial, const PackedPiece& piece);
  bool empty() const { return pieces_ == 0; }
  std::size_t bytes() const { return structures_.size() + symbols_.size() + noise_.size(); }
  /// Returns the text of the chunk.
  std::vector<std::uint8_t> text() const;
  const std::vector<std::uint8_t>& noise() const { return noise_; }
  void clear();

 private:
  std::uint64_t pieces_ = 0;
  ByteWriter list_;  // for each piece: object, serial, and the lengths of its parts
  std::vector<std::uint8_t> structures_, symbols_, noise_;
};

struct PlacedPiece {
  ObjectIndex object = 0;
  std::uint64_t serial = 0;
  PieceView piece;  // refers to the text and noise from which it was read
};

/// Returns the pieces of a chunk. Throws TraceError.
std::vector<PlacedPiece> pieces_of(std::span<const std::uint8_t> text, std::span<const std::uint8_t> noise,
                                   const std::string& called);

}  // namespace skein::trace
