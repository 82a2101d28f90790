// SPDX-License-Identifier: Apache-2.0
// Stack guards. Since Linux 6.13 (6.15 for shared memory) a guard is a mark in the page table and costs no
// mapping; before that it is a change of protection, which splits the arena's mapping in two.
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <vector>

#include "runtime/arena/advice.hpp"
#include "runtime/arena/arena.hpp"
#include "runtime/base/error.hpp"

namespace skein::arena {
namespace {

constexpr int madv_guard_install = 102;  // not in the C library's headers before 2.41

std::atomic<bool> kernel_has_guards{true};

Range guard_of(std::size_t slot) {
  return {contents_address(slot) + layout.guard_offset, layout.guard_bytes};
}

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
  const auto [begin, bytes] = guard_of(slot);
  if (install_guard_mark(begin, bytes)) return;
  if (mprotect(begin, bytes, PROT_NONE) == 0) return;
  const int error = errno;
  if (error == ENOMEM)
    throw Error(
        format("no stack guard for rank %zu: the process has too many memory mappings (two a rank on "
               "this kernel); raise vm.max_map_count (sysctl), or run fewer ranks on a PE",
               slot));
  throw Error(
      format("no stack guard for rank %zu at %p: %s", slot, static_cast<void*>(begin), std::strerror(error)));
}

void install_guards(std::span<const std::size_t> slots) {
  std::vector<Range> guards;
  for (const std::size_t slot : slots) guards.push_back(guard_of(slot));
  if (advise_together(guards, madv_guard_install)) return;
  for (const std::size_t slot : slots) install_guard(slot);
}

bool in_guard(const void* p) {
  if (!in_arena(p)) return false;
  const Range guard = guard_of(slot_of(p));
  return reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(guard.begin) < guard.bytes;
}

}  // namespace skein::arena
