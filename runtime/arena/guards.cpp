// SPDX-License-Identifier: Apache-2.0
// Stack guards. Since Linux 6.13 (6.15 for shared memory) a guard is a mark in the page table and costs no
// mapping; before that it is a change of protection, which splits the arena's mapping in two.
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "runtime/arena/arena.hpp"
#include "runtime/base/error.hpp"

namespace skein::arena {
namespace {

constexpr int madv_guard_install = 102;  // not in the C library's headers before 2.41

std::atomic<bool> kernel_has_guards{true};

bool install_guard_mark(void* begin, std::size_t bytes) {
  if (!kernel_has_guards.load(std::memory_order_relaxed)) return false;  // a hint; nothing is ordered by it
  while (madvise(begin, bytes, madv_guard_install) != 0) {
    if (errno == EINTR || errno == EAGAIN) continue;
    if (errno == EINVAL) kernel_has_guards.store(false, std::memory_order_relaxed);
    return false;
  }
  return true;
}

}  // namespace

void install_guard(std::size_t slot) {
  void* begin = contents_address(slot) + layout.guard_offset;
  if (install_guard_mark(begin, layout.guard_bytes)) return;
  if (mprotect(begin, layout.guard_bytes, PROT_NONE) == 0) return;
  const int error = errno;
  if (error == ENOMEM)
    throw Error(
        format("no stack guard for rank %zu: the process has too many memory mappings (two a rank on "
               "this kernel); raise vm.max_map_count (sysctl), or run fewer ranks on a PE",
               slot));
  throw Error(format("no stack guard for rank %zu at %p: %s", slot, begin, std::strerror(error)));
}

bool in_guard(const void* p) {
  if (!in_arena(p)) return false;
  const std::byte* const guard = contents_address(slot_of(p)) + layout.guard_offset;
  return reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(guard) < layout.guard_bytes;
}

}  // namespace skein::arena
