// SPDX-License-Identifier: Apache-2.0
// Free blocks of a slot heap: finding one that fits, cutting it, merging it with its neighbours.
#include <bit>
#include <iterator>

#include "runtime/arena/heap.hpp"

namespace skein::arena {

using namespace heap_detail;

namespace {
/// The number of blocks in the request's own bin that are examined before a larger bin is taken.
constexpr int kLooksInOwnBin = 8;
}  // namespace

void Heap::set_first_in_bin(std::size_t bin, Block* block) {
  const std::uint64_t bit = std::uint64_t{1} << bin % 64;
  if (block) {
    bins_[bin] = static_cast<std::uint32_t>((block->address() - begin_) / 16 + 1);
    bin_bits_[bin / 64] |= bit;
  } else {
    bins_[bin] = 0;
    bin_bits_[bin / 64] &= ~bit;
  }
}

/// Returns a free block of at least `size` bytes, still in its bin; null if there is none. Unless
/// `exhaustively`, may overlook one in the request's own bin, where sizes differ by up to an eighth.
heap_detail::Block* Heap::find_fit(std::size_t size, bool exhaustively) const {
  const std::size_t own = bin_index(size);
  // The last bin has no bound; it holds at most 64 GiB / 3.75 GiB = 17 blocks.
  const bool all = exhaustively || own == kBinCount - 1;
  int looks = kLooksInOwnBin;
  for (Block* block = first_in_bin(own); block && (all || looks > 0); block = block->next, --looks)
    if (block->size() >= size) return block;

  const std::size_t first = own + 1;
  for (std::size_t word = first / 64; word < std::size(bin_bits_); ++word) {
    std::uint64_t bits = bin_bits_[word];
    if (word == first / 64) bits &= ~std::uint64_t{0} << first % 64;
    if (bits) return first_in_bin(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
  }
  return nullptr;
}

/// Takes a free block out of its bin and makes its first `size` bytes (or all, if the rest is too small) a
/// live block. `clean` is set to addresses that read as zero.
heap_detail::Block* Heap::allot(Block* block, std::size_t size, Extent& clean) {
  unlink(block);
  Block* after = block->after();
  clean = block->is_large() ? block->clean : Extent{};
  const std::size_t rest = block->size() - size;
  if (rest >= kLeastBlock) {
    block->set(BlockState::live, size);
    block->after()->set(BlockState::free, rest);
    insert(block->after(), clean);
  } else {
    after->set_previous_free(false);  // a free block is never the last one: the wilderness swallows it
    block->set(BlockState::live, block->size());
  }
  if (clean.clipped_to({block->address(), block->address() + block->size()}).bytes()) note_refault(size);
  return block;
}

/// Makes a block that is in no list free, and merges it with what is free around it.
void Heap::settle(Block* block) {
  std::size_t size = block->size();
  Extent clean;
  block->set_state(BlockState::free);  // also if it is merged away: a second free() of it is detected then
  if (block->previous_is_free()) {
    block = block->before();
    unlink(block);
    if (block->is_large()) clean = block->clean;
    size += block->size();
  }
  auto* after = reinterpret_cast<Block*>(block->address() + size);
  if (after->address() == wilderness_) {
    wilderness_ = block->address();
    if (freed_pages_bytes() > retain_bytes_ && static_cast<std::size_t>(top_ - wilderness_) >= kLargeBlock)
      purge_wilderness();
    return;
  }
  if (after->state() == BlockState::free) {
    unlink(after);
    if (after->is_large() && after->clean.bytes() > clean.bytes()) clean = after->clean;
    size += after->size();
  }
  block->set(BlockState::free, size);
  block->after()->set_previous_free(true);
  insert(block, clean);
  if (block->is_large() && freed_pages_bytes() > retain_bytes_ &&
      block->size() - block->clean.bytes() >= kLargeBlock)
    purge(block);
}

/// Puts a block whose word says that it is free into its bin and completes it.
void Heap::insert(Block* block, Extent clean) {
  const std::size_t bin = bin_index(block->size());
  block->write_footer();
  block->next = first_in_bin(bin);
  block->previous = nullptr;
  if (block->next) block->next->previous = block;
  set_first_in_bin(bin, block);
  binned_bytes_ += block->size();
  if (block->is_large()) {
    block->clean = clean.clipped_to(block->pages());
    dirty_bytes_ += block->size() - block->clean.bytes();
  }
}

void Heap::unlink(Block* block) {
  const std::size_t bin = bin_index(block->size());
  if (block->next) block->next->previous = block->previous;
  if (block->previous)
    block->previous->next = block->next;
  else
    set_first_in_bin(bin, block->next);
  binned_bytes_ -= block->size();
  if (block->is_large()) dirty_bytes_ -= block->size() - block->clean.bytes();
}

/// Merges all cached blocks into the bins, and sets a new limit for the cache.
void Heap::empty_cache() {
  for (Block*& list : cache_) {
    Block* block = list;
    list = nullptr;
    while (block) {
      Block* next = block->next;
      settle(block);
      block = next;
    }
  }
  cached_bytes_ = 0;
  cache_limit_ = std::max(kLeastCacheLimit, bytes_in_use() / 8);
}

/// Empties a cache above its limit. If a substantial part of the blocks that it lacked since had been emptied
/// from it, its limit grows.
void Heap::empty_full_cache() {
  const bool was_missed = missed_bytes_ >= cached_bytes_ / 16;
  const std::size_t larger = was_missed ? std::min(cached_bytes_ + missed_bytes_, kMostCacheLimit) : 0;
  empty_cache();
  cache_limit_ = std::max(cache_limit_, larger);
  missed_bytes_ = 0;
}

}  // namespace skein::arena
