// SPDX-License-Identifier: Apache-2.0
#include "runtime/arena/heap.hpp"

#include <cstring>

#include "runtime/base/check.hpp"
#include "runtime/base/upcalls.hpp"

namespace skein::arena {

using namespace heap_detail;

namespace {

constexpr std::size_t kFirstRetainBytes = std::size_t{1} << 20;

/// Zeroes the payload's first `bytes` except where they are known to be zero.
void zero_outside(Extent clean, std::byte* payload, std::size_t bytes) {
  const Extent skip = clean.clipped_to({payload, payload + bytes});
  if (skip.bytes() == 0) {
    std::memset(payload, 0, bytes);
    return;
  }
  std::memset(payload, 0, static_cast<std::size_t>(skip.begin - payload));
  std::memset(skip.end, 0, static_cast<std::size_t>(payload + bytes - skip.end));
}

}  // namespace

void Heap::initialise(std::byte* begin, std::byte* end) {
  const std::size_t misaligned = (reinterpret_cast<std::uintptr_t>(begin) + kHeaderBytes) % 16;
  *this = Heap{};
  begin_ = begin + (misaligned ? 16 - misaligned : 0);
  SKEIN_CHECK(begin_ + kLeastBlock <= end && page_floor(end) == end, "a heap from %p to %p",
              static_cast<void*>(begin), static_cast<void*>(end));
  SKEIN_CHECK(static_cast<std::size_t>(end - begin_) <= std::size_t{64} << 30,
              "bins_ counts to 64 GiB, not %td bytes", end - begin_);
  end_ = begin_ + static_cast<std::size_t>(end - begin_) / 16 * 16;
  wilderness_ = top_ = highest_top_ = begin_;
  const auto room = static_cast<std::size_t>(end_ - begin_);
  huge_to_ = reserved.huge_pages_from > 0 && reserved.huge_pages_from < room
                 ? begin_ + reserved.huge_pages_from
                 : end_;
  cache_limit_ = kLeastCacheLimit;
  retain_bytes_ = kFirstRetainBytes;
}

void* Heap::allocate_uncached(std::size_t bytes) {
  if (bytes > kLargestRequest) return nullptr;
  const std::size_t size = block_bytes(bytes);
  if (bytes <= kLargestCachedRequest) missed_bytes_ += size;
  Extent clean;
  Block* block = obtain(size, clean);
  return block ? block->payload() : nullptr;
}

void* Heap::allocate_zeroed(std::size_t bytes) {
  if (bytes > kLargestRequest) return nullptr;
  const std::size_t size = block_bytes(bytes);
  if (bytes <= kLargestCachedRequest && cache_[cache_index(size)] != nullptr) {
    void* payload = allocate(bytes);
    if (payload) std::memset(payload, 0, bytes);
    return payload;
  }
  Extent clean;
  Block* block = obtain(size, clean);
  if (!block) return nullptr;
  zero_outside(clean, static_cast<std::byte*>(block->payload()), bytes);
  return block->payload();
}

void* Heap::allocate_aligned(std::size_t alignment, std::size_t bytes) {
  if (alignment <= 16) return allocate(bytes);
  if (bytes > kLargestRequest || alignment > kLargestRequest - bytes - 2 * kLeastBlock) return nullptr;
  const std::size_t size = block_bytes(bytes);
  Extent clean;
  Block* block = obtain(size + alignment + kLeastBlock, clean);
  if (!block) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(block->payload());
  std::size_t front = ((address + alignment - 1) & ~(alignment - 1)) - address;
  if (front != 0 && front < kLeastBlock) front += alignment;  // the part cut off must be a block
  if (front != 0) {
    auto* aligned = reinterpret_cast<Block*>(block->address() + front);
    aligned->set(BlockState::live, block->size() - front);
    block->set_size(front);
    settle(block);
    block = aligned;
  }
  shrink(block, size);
  return block->payload();
}

void* Heap::reallocate(void* payload, std::size_t bytes) {
  Block* block = live_block(payload);
  if (bytes > kLargestRequest) return nullptr;
  const std::size_t size = block_bytes(bytes);
  if (size <= block->size()) {
    shrink(block, size);
    return payload;
  }
  if (grow_in_place(block, size)) return payload;
  void* larger = allocate(bytes);
  if (!larger) return nullptr;
  std::memcpy(larger, payload, block->size() - kHeaderBytes);
  release(payload);
  return larger;
}

std::size_t Heap::bytes_in_use() const {
  return static_cast<std::size_t>(wilderness_ - begin_) - binned_bytes_ - cached_bytes_;
}

/// Returns a live block of at least `size` bytes that is in no list. `clean` is set to addresses that read as
/// zero.
heap_detail::Block* Heap::obtain(std::size_t size, Extent& clean) {
  if (Block* block = find_fit(size, false)) return allot(block, size, clean);
  // Many small blocks may add up to a large one: better to merge them than to grow the slot.
  if (size >= kLargeBlock && cached_bytes_ >= size) {
    empty_cache();
    if (Block* block = find_fit(size, false)) return allot(block, size, clean);
  }
  if (static_cast<std::size_t>(end_ - wilderness_) < size) {
    empty_cache();
    if (Block* block = find_fit(size, true)) return allot(block, size, clean);
    if (static_cast<std::size_t>(end_ - wilderness_) < size) return nullptr;
  }
  auto* block = reinterpret_cast<Block*>(wilderness_);
  clean = {std::max(top_, wilderness_), wilderness_ + size};
  raise_wilderness(wilderness_ + size);
  block->set(BlockState::live, size);
  return block;
}

void Heap::raise_wilderness(std::byte* to) {
  if (to > top_) {
    if (top_ < highest_top_) note_refault(static_cast<std::size_t>(to - wilderness_));
    top_ = to;
    highest_top_ = std::max(highest_top_, top_);
    if (top_ > huge_to_) ask_for_huge_pages();
  }
  wilderness_ = to;
}

/// Cuts off the part of a live block beyond `size` bytes, if that makes a block.
void Heap::shrink(Block* block, std::size_t size) {
  const std::size_t rest = block->size() - size;
  if (rest < kLeastBlock) return;
  block->set_size(size);
  block->after()->set(BlockState::live, rest);
  settle(block->after());
}

bool Heap::grow_in_place(Block* block, std::size_t size) {
  const std::size_t more = size - block->size();
  Block* after = block->after();
  if (after->address() == wilderness_) {
    if (static_cast<std::size_t>(end_ - wilderness_) < more) return false;
    raise_wilderness(wilderness_ + more);
    block->set_size(size);
    return true;
  }
  if (after->state() != BlockState::free || after->size() < more) return false;
  Extent clean;
  allot(after, more, clean);  // may make the block larger than asked for
  block->set_size(block->size() + after->size());
  after->set_state(BlockState::free);  // inside a block now: no pointer to it is valid
  return true;
}

void Heap::bad_block(const void* payload) const {
  const auto* p = static_cast<const std::byte*>(payload);
  const char* why = "it is no block of this heap";
  if (p >= begin_ && p < wilderness_ && reinterpret_cast<std::uintptr_t>(p) % 16 == 0) {
    const BlockState state = Block::of(payload)->state();
    const bool freed = state == BlockState::cached || state == BlockState::free;
    why = freed ? "it was freed before" : "it was never allocated, or the bytes below it were overwritten";
  }
  // Mostly the program is at fault; without a rank to name, the check fails as one of Skein's own.
  if (upcalls.report_bad_block) upcalls.report_bad_block(*this, payload, why);
  check_failed(__FILE__, __LINE__, "a pointer given to free() or realloc() is a live block", "%p: %s",
               payload, why);
}

}  // namespace skein::arena
