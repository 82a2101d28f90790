// SPDX-License-Identifier: Apache-2.0
// The heap of one slot. Everything a rank allocates (its own malloc, and what the runtime keeps for it) comes
// from here, so that it moves with the slot.
//
// Three stages, all with bounded work per call:
//   cache       blocks below 8 KiB that were freed, one last-in-first-out list per size, not merged
//   bins        other free blocks, merged with their neighbours, found by two-level size bins (good fit,
//               after TLSF: Masmano, Ripoll, Crespo, Real, "TLSF: a new dynamic memory allocator for
//               real-time systems", ECRTS 2004)
//   wilderness  what lies above all blocks
// The cache is emptied into the bins when it holds more than 128 KiB and more than an eighth of the bytes in
// use when it was emptied last. Where small blocks come and go together, that would be half of them each
// time: so it may hold up to 2 MiB if it lacked, since it was last emptied, blocks that were asked for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/arena/heap_block.hpp"

namespace skein::arena {

/// Allocator over one contiguous range of a slot. The object itself lives in the slot, holds only addresses
/// inside it, and is used by the one PE that owns the slot: no locks, no process-private state.
///
///   blocks in [begin, wilderness) tile it without gaps; no two free neighbours; the block below the
///   wilderness is not free
///   begin <= wilderness <= top <= end; bytes in [top, end) read as zero and were never written, or were
///   discarded since
///   in use = wilderness - begin - bytes in bins - bytes in the cache
///
/// Freed pages go back to the system in pieces of at least 64 KiB when the heap holds more of them than it
/// may retain. The limit starts at 1 MiB and grows by each block that had to be faulted in again, up to 64
/// MiB, so that a loop that allocates and frees the same buffers soon faults no more, and with one buffer at
/// most twice.
class Heap {
 public:
  /// Takes the range over; it must read as zeroes, and `end` must be a page's end. Touches none of it.
  void initialise(std::byte* begin, std::byte* end);

  /// Returns a 16-byte aligned block, or nullptr when the slot is full: the caller decides what that means.
  [[nodiscard]] void* allocate(std::size_t bytes);
  /// Returns a block aligned to `alignment`, a power of two, or nullptr.
  [[nodiscard]] void* allocate_aligned(std::size_t alignment, std::size_t bytes);
  /// Returns a block whose bytes read as zero, or nullptr. Does not write memory known to be zero.
  [[nodiscard]] void* allocate_zeroed(std::size_t bytes);
  /// Resizes a block to more than 0 bytes, like realloc(): nullptr leaves the old block as it is. Grows in
  /// place when what follows is free.
  [[nodiscard]] void* reallocate(void* block, std::size_t bytes);
  /// Frees a block of this heap. A block freed twice or never allocated ends the job with a message.
  void release(void* block);
  /// Returns the bytes that the caller may use in the block.
  [[nodiscard]] std::size_t usable_bytes(const void* block) const;

  /// Gives every freed page in a piece of at least 64 KiB back to the system, without retaining any. For the
  /// mover, before it copies a slot: untouched pages need not be sent.
  void trim();

  /// Returns the bytes in live blocks, their headers included.
  [[nodiscard]] std::size_t bytes_in_use() const;
  /// Bound the addresses that hold anything but zeroes: [begin(), top()).
  [[nodiscard]] std::byte* begin() const { return begin_; }
  [[nodiscard]] std::byte* top() const { return top_; }
  /// Repeats the requests for huge pages, on a process that the heap has just come to.
  void ask_again_for_huge_pages() {
    if (is_huge_) ask_for_huge_pages();
  }
  [[nodiscard]] std::byte* end() const { return end_; }

 private:
  using Block = heap_detail::Block;
  using Extent = heap_detail::Extent;

  /// heap.cpp: requests
  void* allocate_uncached(std::size_t bytes);
  Block* obtain(std::size_t size, Extent& clean);
  Block* live_block(const void* payload) const;
  [[noreturn]] void bad_block(const void* payload) const;
  void shrink(Block* block, std::size_t size);
  bool grow_in_place(Block* block, std::size_t size);
  void raise_wilderness(std::byte* to);

  /// heap_bins.cpp: free blocks
  Block* first_in_bin(std::size_t bin) const {
    return bins_[bin] ? reinterpret_cast<Block*>(begin_ + std::size_t{bins_[bin] - 1} * 16) : nullptr;
  }
  void set_first_in_bin(std::size_t bin, Block* block);
  Block* find_fit(std::size_t size, bool exhaustively) const;
  Block* allot(Block* block, std::size_t size, Extent& clean);
  void settle(Block* block);
  void insert(Block* block, Extent clean);
  void unlink(Block* block);
  void empty_cache();
  void empty_full_cache();

  /// heap_pages.cpp: freed pages
  std::size_t freed_pages_bytes() const {
    return dirty_bytes_ + static_cast<std::size_t>(top_ - wilderness_);
  }
  void purge(Block* block);
  void purge_wilderness();
  void note_refault(std::size_t bytes);
  void ask_for_huge_pages();

  std::byte* begin_ = nullptr;
  std::byte* wilderness_ = nullptr;
  std::byte* top_ = nullptr;
  std::byte* end_ = nullptr;
  std::byte* highest_top_ = nullptr;
  std::byte* huge_to_ = nullptr;  ///< a top() above this asks for huge pages
  bool is_huge_ = false;          ///< huge pages were asked for
  std::size_t cached_bytes_ = 0;
  std::size_t cache_limit_ = 0;
  std::size_t missed_bytes_ = 0;  ///< in small blocks that the cache lacked since it was full last
  std::size_t binned_bytes_ = 0;
  std::size_t dirty_bytes_ = 0;   ///< in large free blocks, outside their clean extents
  std::size_t retain_bytes_ = 0;  ///< how many freed bytes may stay touched
  std::uint64_t bin_bits_[(heap_detail::kBinCount + 63) / 64] = {};  ///< which bins hold anything
  Block* cache_[heap_detail::kCacheLists] = {};
  std::uint32_t bins_[heap_detail::kBinCount] = {};  ///< first block: 1 + its distance from begin_ / 16; or 0
};

/// The heap is part of every rank's control block, and an idle rank has 32 KiB in all.
static_assert(sizeof(Heap) <= 1536);

inline void* Heap::allocate(std::size_t bytes) {
  using namespace heap_detail;
  if (bytes <= kLargestCachedRequest) [[likely]] {
    Block*& list = cache_[cache_index(block_bytes(bytes))];
    Block* block = list;
    if (block != nullptr) [[likely]] {
      if (block->state() != BlockState::cached) [[unlikely]]
        bad_block(block->payload());
      list = block->next;
      cached_bytes_ -= block->size();
      block->set_state(BlockState::live);
      return block->payload();
    }
  }
  return allocate_uncached(bytes);
}

inline heap_detail::Block* Heap::live_block(const void* payload) const {
  using namespace heap_detail;
  Block* block = Block::of(payload);
  const auto offset = static_cast<std::size_t>(block->address() - begin_);
  if (offset >= static_cast<std::size_t>(wilderness_ - begin_) || offset % 16 != 0 ||
      block->state() != BlockState::live) [[unlikely]]
    bad_block(payload);
  return block;
}

inline void Heap::release(void* payload) {
  using namespace heap_detail;
  Block* block = live_block(payload);
  const std::size_t size = block->size();
  if (size >= kCachedBelow) [[unlikely]]
    return settle(block);
  Block*& list = cache_[cache_index(size)];
  block->set_state(BlockState::cached);
  block->next = list;
  list = block;
  cached_bytes_ += size;
  if (cached_bytes_ > cache_limit_) [[unlikely]]
    empty_full_cache();
}

inline std::size_t Heap::usable_bytes(const void* block) const {
  return live_block(block)->size() - heap_detail::kHeaderBytes;
}

}  // namespace skein::arena
