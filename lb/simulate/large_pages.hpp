// SPDX-License-Identifier: Apache-2.0
// Memory for large tables that are accessed at random, in pages of 2 MiB if the system has them (Linux,
// transparent huge pages): with small pages most accesses would also miss the page table's cache.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace skein::simulate {

/// Allocates memory. Throws std::bad_alloc. `align` is a power of two, at most 64.
void* allocate_pages(std::size_t bytes, std::size_t align);
void free_pages(void* memory, std::size_t bytes, std::size_t align) noexcept;

template <class Item>
struct LargePages {
  using value_type = Item;
  LargePages() = default;
  template <class Other>
  LargePages(const LargePages<Other>&) {}
  Item* allocate(std::size_t count) {
    return static_cast<Item*>(allocate_pages(count * sizeof(Item), alignof(Item)));
  }
  void deallocate(Item* items, std::size_t count) noexcept {
    free_pages(items, count * sizeof(Item), alignof(Item));
  }
  friend bool operator==(const LargePages&, const LargePages&) { return true; }
};

template <class Item>
using LargeVector = std::vector<Item, LargePages<Item>>;

// Prefetches memory that is soon needed.

/// Prefetches the cache line of `address`, which may be any address.
///
/// GCC drops calls of a function that only reads and prefetches, as free of effects: the empty statement is
/// an effect.
inline void prefetch_line(const void* address) {
  __builtin_prefetch(address, 1);
  asm volatile("");
}

/// Prefetches a piece of memory, at most its first 1 KiB: the processor fetches more by itself.
inline void prefetch_lines(const void* begin, std::size_t bytes) {
  const auto* const at = static_cast<const std::byte*>(begin);
  for (std::size_t i = 0; i < std::min<std::size_t>(bytes, 1024); i += 64) prefetch_line(at + i);
}

}  // namespace skein::simulate
