// SPDX-License-Identifier: Apache-2.0
// Memory for large tables that are looked at here and there: in pages of 2 MiB where the system has them
// (Linux, transparent huge pages), since with small ones most looks would miss the table of pages as well.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace skein::simulate {

/// Throws std::bad_alloc. `align` is a power of two, at most 64.
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

// Memory that is soon needed is brought into the cache.

/// The line of the cache that this is in. It may be any address.
///
/// GCC takes a function that only reads and prefetches for one without effects, and drops the calls of it:
/// the empty statement is an effect.
inline void prefetch_line(const void* address) {
  __builtin_prefetch(address, 1);
  asm volatile("");
}

/// Those of a piece of memory, the first 1 KiB of it at most: of more the processor fetches the rest by
/// itself.
inline void prefetch_lines(const void* begin, std::size_t bytes) {
  const auto* const at = static_cast<const std::byte*>(begin);
  for (std::size_t i = 0; i < std::min<std::size_t>(bytes, 1024); i += 64) prefetch_line(at + i);
}

}  // namespace skein::simulate
