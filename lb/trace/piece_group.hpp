// SPDX-License-Identifier: Apache-2.0
// Pieces of many objects' streams as one chunk of the file: they are alike, and compressed together they
// share what each alone would have to tell.
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
  /// The text of the chunk.
  std::vector<std::uint8_t> text() const;
  const std::vector<std::uint8_t>& noise() const { return noise_; }
  void clear();

 private:
  std::uint64_t pieces_ = 0;
  ByteWriter list_;  // for each: object, serial, and how long its parts are
  std::vector<std::uint8_t> structures_, symbols_, noise_;
};

struct PlacedPiece {
  ObjectIndex object = 0;
  std::uint64_t serial = 0;
  PieceView piece;  // of the text and noise it was read from
};

/// Throws TraceError.
std::vector<PlacedPiece> pieces_of(std::span<const std::uint8_t> text, std::span<const std::uint8_t> noise,
                                   const std::string& called);

}  // namespace skein::trace
