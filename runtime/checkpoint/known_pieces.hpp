// SPDX-License-Identifier: Apache-2.0
// Which parts of its ranks' pages a PE need not store again, as a state before has the same.
//
// A piece is at most kPieceBytes of pages, in one frame of one file. A state that needs pieces of earlier
// states has their files as links of its own, image-<pe>.zst.<number> beside image-<pe>.zst, so that each
// state is whole by itself, and may be copied or removed alone. Where links cannot be made, all is stored.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace skein::checkpoint {

inline constexpr std::size_t kPieceBytes = std::size_t{128} << 10;

/// As it is in the file.
struct Piece {
  std::uint64_t address, bytes;
  std::uint64_t state;           ///< number of the one that wrote it, or 0: that which names it
  std::uint64_t offset, stored;  ///< of its frame
};

/// The four sums of xxHash64 before it mixes them: one changed word changes one of them for sure.
using PieceHash = std::array<std::uint64_t, 4>;
PieceHash hash_of(const void* data, std::size_t bytes);

/// The file of an earlier state, beside that of the state that needs it.
std::string earlier_path(const std::string& path, std::uint64_t state);

class KnownPieces {
 public:
  /// A state is begun, whose file is `path`: links those files beside it that are to be used. They are 16 at
  /// most, of each at least a quarter was used by the last state, and what it did not use of them is no more
  /// than what it did: so files take about twice what pieces do at most.
  void begin(const std::string& path);
  /// Returns the piece of an earlier state that has these bytes, or null.
  const Piece* find(std::uint64_t address, std::uint64_t bytes, const PieceHash& hash) const;
  /// The state has that piece.
  void add(const Piece& piece, const PieceHash& hash);
  /// All were added: removes links that no piece needs.
  void end();
  /// The state is valid, of that number, and its file is there now. Where this is not called, what was known
  /// before begin() is still.
  void keep(std::uint64_t number, const std::string& path);

 private:
  struct Stored {
    Piece piece;
    PieceHash hash;
  };
  std::unordered_map<std::uint64_t, Stored> known_, new_;  // by address
  std::unordered_map<std::uint64_t, bool> needed_;         // states that files are linked of
  std::uint64_t number_ = 0;                               // of the last state
  std::string path_, new_path_;
};

}  // namespace skein::checkpoint
