// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/element_block.hpp"

#include <sys/mman.h>

#include "skein/chare/element_memory.hpp"

namespace skein::chare {
namespace {

std::uintptr_t address_of(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

/// Reserves addresses that begin with a piece. Returns null if there are none.
std::byte* map_pieces(std::size_t bytes) {
  const std::size_t mapped = bytes + ElementBlock::piece_bytes;
  void* const memory =
      mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  const std::size_t before = -address_of(memory) % ElementBlock::piece_bytes;
  auto* const begin = static_cast<std::byte*>(memory) + before;
  if (before > 0) munmap(memory, before);
  munmap(begin + bytes, mapped - bytes - before);
  return begin;
}

}  // namespace

ElementBlock::~ElementBlock() {
  if (memory_) munmap(memory_, pieces_.size() * piece_bytes);
}

void ElementBlock::reserve(std::size_t count, std::size_t bytes) {
  // Watched elements have pages of their own.
  if (memory_ || settings.elements_watched || count * bytes < least_bytes || bytes > piece_bytes / 64) return;
  const std::size_t in_piece = piece_bytes / bytes, pieces = (count + in_piece - 1) / in_piece;
  memory_ = map_pieces(pieces * piece_bytes);
  if (!memory_) return;
  // Huge pages only for pieces that are soon full: the last may stay mostly empty.
  madvise(memory_, count / in_piece * piece_bytes, MADV_HUGEPAGE);
  pieces_.resize(pieces);
  bytes_ = bytes;
  most_ = in_piece;
  capacity_ = pieces * in_piece;
  empty_ = pieces;
}

void ElementBlock::give(void* element) {
  const std::size_t which = (address_of(element) - address_of(memory_)) / piece_bytes;
  Piece& piece = pieces_[which];
  --elements_;
  if (--piece.elements > 0) {
    piece.gone = ::new (element) Gone{piece.gone};
    return;
  }
  piece = {};
  if (empty_ < pieces_.size() && empty_ != which && pieces_[empty_].elements == 0)
    madvise(memory_ + which * piece_bytes, piece_bytes, MADV_DONTNEED);
  else
    empty_ = which;
}

ElementBlock::Piece& ElementBlock::find_room() {
  while (pieces_[latest_].elements == most_) latest_ = (latest_ + 1) % pieces_.size();
  return pieces_[latest_];
}

}  // namespace skein::chare
