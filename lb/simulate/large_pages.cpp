// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/large_pages.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace skein::simulate {
namespace {

constexpr std::size_t page = std::size_t{2} << 20, small_page = 4096;

bool is_large(std::size_t bytes) { return bytes >= page; }

std::size_t mapped(std::size_t bytes) { return (bytes + small_page - 1) / small_page * small_page; }

}  // namespace

/// Mapped anew: memory that was used before has its small pages already.
void* allocate_pages(std::size_t bytes, std::size_t align) {
  if (!is_large(bytes)) return ::operator new(bytes, std::align_val_t(align));
  const std::size_t size = mapped(bytes);
  void* const map =
      mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<std::uint8_t*>(map);
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(map) % page) % page;
  if (before > 0) munmap(begin, before);
  if (before < page) munmap(begin + before + size, page - before);
  // A wish: without it the memory is as good, and slower.
  (void)madvise(begin + before, bytes / page * page, MADV_HUGEPAGE);
  return begin + before;
}

void free_pages(void* memory, std::size_t bytes, std::size_t align) noexcept {
  if (is_large(bytes))
    munmap(memory, mapped(bytes));
  else
    ::operator delete(memory, std::align_val_t(align));
}

}  // namespace skein::simulate
