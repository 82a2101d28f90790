// SPDX-License-Identifier: Apache-2.0
// Gives the freed pages of a slot heap back to the system.
#include "runtime/arena/heap.hpp"

#include <algorithm>

namespace skein::arena {

using namespace heap_detail;

namespace {

constexpr std::size_t kMostRetainBytes = std::size_t{64} << 20;

void discard_extent(Extent extent) {
  if (extent.bytes()) discard({extent.begin, extent.bytes()});
}

}  // namespace

/// Asks for huge pages an eighth ahead, so that a heap that keeps growing asks seldom. Untouched pages take
/// no memory.
void Heap::ask_for_huge_pages() {
  const auto used = static_cast<std::size_t>(top_ - begin_), room = static_cast<std::size_t>(end_ - begin_);
  const std::size_t asked = std::min(room, used + std::max(kHugePageBytes, used / 8));
  prefer_huge_pages({begin_, asked});
  huge_to_ = begin_ + asked;
  is_huge_ = true;
}

/// Discards the pages of a large free block that are not clean yet.
void Heap::purge(Block* block) {
  const Extent pages = block->pages();
  const Extent clean = block->clean;
  if (clean.bytes()) {
    discard_extent({pages.begin, clean.begin});
    discard_extent({clean.end, pages.end});
  } else {
    discard_extent(pages);
  }
  dirty_bytes_ -= pages.bytes() - clean.bytes();
  block->clean = pages;
}

/// Discards the pages between the last block and top().
void Heap::purge_wilderness() {
  std::byte* first = page_ceiling(wilderness_);
  if (first >= top_) return;
  discard_extent({first, page_ceiling(top_)});  // nothing beyond the page of top_ was touched
  top_ = first;
}

/// Notes that `bytes` were handed out whose pages had been given back: more pages are retained next time.
void Heap::note_refault(std::size_t bytes) {
  retain_bytes_ = std::min(std::max(retain_bytes_ + bytes, 2 * bytes), kMostRetainBytes);
}

void Heap::trim() {
  empty_cache();
  for (std::size_t bin = bin_index(kLargeBlock); bin < kBinCount; ++bin)
    for (Block* block = first_in_bin(bin); block; block = block->next)
      if (block->size() - block->clean.bytes() >= kLargeBlock) purge(block);
  if (static_cast<std::size_t>(top_ - wilderness_) >= kLargeBlock) purge_wilderness();
}

}  // namespace skein::arena
