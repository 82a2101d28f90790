// SPDX-License-Identifier: Apache-2.0
// The heap of one slot. Everything a rank allocates (its own malloc, and what the runtime keeps for it) comes
// from here, so that it moves with the slot.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skein::arena {

/// Allocator over one contiguous range of a slot. The object itself lives in the slot, holds only addresses
/// inside it, and is used by the one PE that owns the slot: no locks, no process-private state.
///
/// Invariants: every block is 16-byte aligned and lies in [begin, top); blocks above a boundary of 64 KiB
/// that are freed return their pages to the system (a move then does not copy them).
class Heap {
 public:
  /// Takes the range over; it must read as zeroes. Throws nothing, touches only the first page.
  void initialise(std::byte* begin, std::byte* end);

  /// nullptr when the slot is full: the caller decides what that means.
  [[nodiscard]] void* allocate(std::size_t bytes);
  /// `alignment` is a power of two.
  [[nodiscard]] void* allocate_aligned(std::size_t alignment, std::size_t bytes);
  /// The bytes read as zero.
  [[nodiscard]] void* allocate_zeroed(std::size_t bytes);
  /// As realloc(): nullptr leaves the old block as it is.
  [[nodiscard]] void* reallocate(void* block, std::size_t bytes);
  /// `block` comes from this heap. A block freed twice or never allocated ends the job with a message.
  void release(void* block);
  /// Bytes that the caller may use in the block.
  [[nodiscard]] std::size_t usable_bytes(const void* block) const;

  /// Bytes in live blocks, their headers included.
  [[nodiscard]] std::size_t bytes_in_use() const;
  /// Addresses that were ever touched are in [begin(), top()).
  [[nodiscard]] std::byte* begin() const;
  [[nodiscard]] std::byte* top() const;
  [[nodiscard]] std::byte* end() const;
};

}  // namespace skein::arena
