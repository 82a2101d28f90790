// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/large_pages.hpp"

#include <sys/mman.h>

#include <new>

namespace skein::simulate {
namespace {

constexpr std::size_t page = std::size_t{2} << 20;

bool is_large(std::size_t bytes) { return bytes >= page; }

}  // namespace

void* allocate_pages(std::size_t bytes, std::size_t align) {
  if (!is_large(bytes)) return ::operator new(bytes, std::align_val_t(align));
  void* const memory = ::operator new(bytes, std::align_val_t(page));
  // A wish: without it the memory is as good, and slower.
  (void)madvise(memory, bytes / page * page, MADV_HUGEPAGE);
  return memory;
}

void free_pages(void* memory, std::size_t bytes, std::size_t align) noexcept {
  ::operator delete(memory, std::align_val_t(is_large(bytes) ? page : align));
}

}  // namespace skein::simulate
