// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/large_pages.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace skein::simulate {
namespace {

constexpr std::size_t kPage = std::size_t{2} << 20, kSmallPage = 4096;

bool is_large(std::size_t bytes) { return bytes >= kPage; }

std::size_t mapped(std::size_t bytes) { return (bytes + kSmallPage - 1) / kSmallPage * kSmallPage; }

}  // namespace

/// Memory is mapped anew, because memory used before already has small pages.
void* allocate_pages(std::size_t bytes, std::size_t align) {
  if (!is_large(bytes)) return ::operator new(bytes, std::align_val_t(align));
  const std::size_t size = mapped(bytes);
  void* const map =
      mmap(nullptr, size + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<std::uint8_t*>(map);
  const std::size_t before = (kPage - reinterpret_cast<std::uintptr_t>(map) % kPage) % kPage;
  if (before > 0) munmap(begin, before);
  if (before < kPage) munmap(begin + before + size, kPage - before);
  // Only a hint: without it the memory is slower.
  (void)madvise(begin + before, bytes / kPage * kPage, MADV_HUGEPAGE);
  return begin + before;
}

void free_pages(void* memory, std::size_t bytes, std::size_t align) noexcept {
  if (is_large(bytes))
    munmap(memory, mapped(bytes));
  else
    ::operator delete(memory, std::align_val_t(align));
}

}  // namespace skein::simulate
