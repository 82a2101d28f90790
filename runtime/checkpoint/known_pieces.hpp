// SPDX-License-Identifier: Apache-2.0
// The parts of its ranks' pages that a PE need not store again, because an earlier state has them.
//
// A piece is at most kPieceBytes of pages, in one frame of one file. A state that needs pieces of earlier
// states has links of its own to their files, image-<pe>.zst.<number> beside image-<pe>.zst, so that each
// state is complete, and may be copied or removed alone. If links cannot be made, everything is stored.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace skein::checkpoint {

inline constexpr std::size_t kPieceBytes = std::size_t{128} << 10;

/// A piece as its file has it.
struct Piece {
  std::uint64_t address, bytes;
  std::uint64_t state;           ///< number of the state that wrote it; 0: the state that names it
  std::uint64_t offset, stored;  ///< the place of its frame
};

/// The four sums of xxHash64 before it mixes them: a single changed word always changes one of them.
using PieceHash = std::array<std::uint64_t, 4>;
PieceHash hash_of(const void* data, std::size_t bytes);

/// Returns the path of an earlier state's file, beside the file of the state that needs it.
std::string earlier_path(const std::string& path, std::uint64_t state);

class KnownPieces {
 public:
  /// Begins a state whose file is `path`: links the files of earlier states that it may use. These are at
  /// most 16 files; the last state used at least a quarter of each, and at least half of them together, so
  /// that files take at most about twice the bytes of the pieces.
  void begin(const std::string& path);
  /// Returns the piece of an earlier state that has these bytes, or null.
  const Piece* find(std::uint64_t address, std::uint64_t bytes, const PieceHash& hash) const;
  /// Adds a piece to the new state.
  void add(const Piece& piece, const PieceHash& hash);
  /// Ends the pieces of the new state: removes links that no piece needs.
  void end();
  /// Makes the new state's pieces the known ones: the state is valid, with this number, and its file is now
  /// at `path`. Until this is called, the pieces that were known before begin() stay known.
  void keep(std::uint64_t number, const std::string& path);

 private:
  struct Stored {
    Piece piece;
    PieceHash hash;
  };
  std::unordered_map<std::uint64_t, Stored> known_, new_;  // by address
  std::unordered_map<std::uint64_t, bool> needed_;         // states whose files are linked
  std::uint64_t number_ = 0;                               // number of the last state
  std::string path_, new_path_;
};

}  // namespace skein::checkpoint
