// SPDX-License-Identifier: Apache-2.0
// Memory for large tables that are looked at here and there: in pages of 2 MiB where the system has them
// (Linux, transparent huge pages), since with small ones most looks would miss the table of pages as well.
#pragma once
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

}  // namespace skein::simulate
