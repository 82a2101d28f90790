// SPDX-License-Identifier: Apache-2.0
// Stack guards: a change of protection, which splits the arena's mapping in two, or marks in the page table,
// which Linux has since 6.13 (6.15 for shared memory).
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "runtime/arena/advice.hpp"
#include "runtime/arena/arena.hpp"
#include "runtime/base/check.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/pe_runtime.hpp"

namespace skein::arena {
namespace {

/// The C library's headers have it from 2.41 on.
constexpr int kMadvGuardInstall = 102;
constexpr int kMadvGuardRemove = 103;

constexpr std::size_t kLeastMarked = 128 * 1024;
constexpr std::size_t kMappingsEach = 2;
constexpr std::size_t kShareOfMappings = 8;  // 1/8 of the system's limit is for guards

struct Guards {
  std::vector<bool> is_mapping;  // by slot: true if the guard is a mapping of its own
  std::size_t mapping_count = 0;
  std::atomic<bool> kernel_has_marks{true};
};
PerRuntime<Guards> guards;

std::size_t most_mappings() {
  static const std::size_t limit = [] {
    std::size_t count = 65530;  // the kernel's default
    std::ifstream("/proc/sys/vm/max_map_count") >> count;
    return count;
  }();
  return limit;
}

/// Returns true if so many more guards may be mappings.
bool room_for(std::size_t more) {
  return (guards->mapping_count + more) * kMappingsEach <= most_mappings() / kShareOfMappings;
}

/// Returns the part of a guard that is marked: the end at the stack, as far as the page-table page there
/// reaches.
Range marked_part(Range guard) {
  std::byte* const end = guard.begin + guard.bytes;
  const auto wanted = reinterpret_cast<std::uintptr_t>(end - std::min(guard.bytes, kLeastMarked));
  std::byte* const begin =
      std::max(guard.begin, reinterpret_cast<std::byte*>(wanted & ~(kPageTableReach - 1)));
  return {begin, static_cast<std::size_t>(end - begin)};
}

bool mark(Range pages) {
  if (!guards->kernel_has_marks.load(std::memory_order_relaxed)) return false;  // a hint that orders nothing
  while (madvise(pages.begin, pages.bytes, kMadvGuardInstall) != 0) {
    if (errno == EINTR || errno == EAGAIN) continue;
    if (errno == EINVAL) guards->kernel_has_marks.store(false, std::memory_order_relaxed);
    return false;
  }
  return true;
}

void unmark(Range pages) {
  if (!guards->kernel_has_marks.load(std::memory_order_relaxed)) return;
  int result;
  do result = madvise(pages.begin, pages.bytes, kMadvGuardRemove);
  while (result != 0 && (errno == EINTR || errno == EAGAIN));
}

bool map_guard(std::size_t slot) {
  if (guards->is_mapping[slot]) return true;
  const auto [begin, bytes] = guard_of(slot);
  if (mprotect(begin, bytes, PROT_NONE) != 0) return false;
  guards->is_mapping[slot] = true;
  ++guards->mapping_count;
  return true;
}

/// Returns the pages of a slot's stack. The last is the control block's first, in which the stack begins.
Range stack_pages(std::size_t slot) {
  return {stack_address(slot), reserved.layout.stack_bytes + kPageBytes};
}

void make_stack_executable(std::size_t slot) {
  if (make_executable(stack_pages(slot))) return;
  throw Error(format(
      "no executable stack for rank %zu, which the program or a library of it asks for (readelf -lW: "
      "GNU_STACK RWE): %s; %s",
      slot, std::strerror(errno),
      errno == ENOMEM ? "raise vm.max_map_count (sysctl), or run fewer ranks on a PE"
                      : "likely a security policy: build it without nested functions that are passed on"));
}

[[noreturn]] void report_refusal(std::size_t slot, int error) {
  if (error == ENOMEM)
    throw Error(
        format("no stack guard for rank %zu: the process has too many memory mappings (two a rank on "
               "this kernel); raise vm.max_map_count (sysctl), or run fewer ranks on a PE",
               slot));
  throw Error(format("no stack guard for rank %zu at %p: %s", slot, static_cast<void*>(guard_of(slot).begin),
                     std::strerror(error)));
}

}  // namespace

Range guard_of(std::size_t slot) {
  std::byte* const begin = slot_address(slot);
  return {begin, static_cast<std::size_t>(stack_address(slot) - begin)};
}

void install_guards(std::span<const std::size_t> slots) {
  guards->is_mapping.resize(reserved.slot_count);
  if (reserved.executable_stacks)
    for (const std::size_t slot : slots) make_stack_executable(slot);
  // A call that the limit interrupts leaves some of its guards as mappings, which do no harm.
  if (room_for(slots.size()) && std::ranges::all_of(slots, map_guard)) return;
  std::vector<Range> marks;
  for (const std::size_t slot : slots)
    if (!guards->is_mapping[slot]) marks.push_back(marked_part(guard_of(slot)));
  if (marks.size() > 1 && advise_together(marks, kMadvGuardInstall)) return;
  for (const std::size_t slot : slots)
    if (!guards->is_mapping[slot] && !mark(marked_part(guard_of(slot))) && !map_guard(slot))
      report_refusal(slot, errno);
}

void remove_guard(std::size_t slot) {
  if (slot >= guards->is_mapping.size()) return;
  const Range guard = guard_of(slot);
  if (reserved.executable_stacks) unprotect(stack_pages(slot));
  if (!guards->is_mapping[slot]) return unmark(marked_part(guard));
  // The guard joins the mappings beside it, so the system's limit is no obstacle.
  SKEIN_CHECK(mprotect(guard.begin, guard.bytes, usual_protection()) == 0, "mprotect: %s",
              std::strerror(errno));
  guards->is_mapping[slot] = false;
  --guards->mapping_count;
}

bool in_guard(const void* p) {
  if (!in_arena(p)) return false;
  const Range guard = guard_of(slot_of(p));
  return reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(guard.begin) < guard.bytes;
}

bool protect(Range pages) {
  discard(pages);
  return mark(pages) || mprotect(pages.begin, pages.bytes, PROT_NONE) == 0;
}

bool make_executable(Range pages) {
  return !reserved.executable_stacks ||
         mprotect(pages.begin, pages.bytes, PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
}

void unprotect(Range pages) {
  unmark(pages);
  SKEIN_CHECK(mprotect(pages.begin, pages.bytes, usual_protection()) == 0, "mprotect(%p, %zu): %s",
              static_cast<void*>(pages.begin), pages.bytes, std::strerror(errno));
}

}  // namespace skein::arena
