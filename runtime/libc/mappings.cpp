// SPDX-License-Identifier: Apache-2.0
// Memory that a rank maps. Plain memory (private, anonymous, readable and writable: mostly pools of
// libraries; executable, too, if the arena is: functions that Python builds) comes from the rank's heap, so
// that it moves with the rank. Mapped files, shared memory, memory at an address of the program's choice and
// the like are outside the slot: they pin the rank until it unmaps them. A protection that it has changed,
// which is the process's, pins it, too.
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <iterator>

#include "runtime/arena/arena.hpp"
#include "runtime/libc/caller.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"

namespace skein::libc {
namespace {

constexpr const char kHoldsMapping[] = "it has mapped memory outside its slot (mmap)";
constexpr const char kHoldsProtection[] = "it has changed the protection of memory (mprotect)";
constexpr int kReadWrite = PROT_READ | PROT_WRITE;
constexpr std::size_t kWholeSlot = 4;  // one mapping gets up to this part of what the heap has left

std::byte* page_down(void* p) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(p) & ~(arena::kPageBytes - 1));
}
std::size_t whole_pages(std::size_t bytes) {
  return (bytes + arena::kPageBytes - 1) & ~(arena::kPageBytes - 1);
}
bool is_page(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % arena::kPageBytes == 0; }

/// Maps memory in the slot. Returns null if it cannot lie there, or finds no room.
void* map_in_slot(Rank& rank, std::size_t bytes, int protection, int flags) {
  constexpr int wanted = MAP_PRIVATE | MAP_ANONYMOUS;
  constexpr int harmless = MAP_NORESERVE | MAP_POPULATE | MAP_STACK | MAP_NONBLOCK;
  const bool is_usual = protection == kReadWrite || protection == arena::usual_protection();
  if (bytes == 0 || !is_usual || (flags & ~harmless) != wanted) return nullptr;
  if (bytes > static_cast<std::size_t>(rank.heap.end() - rank.heap.top()) / kWholeSlot) return nullptr;
  bytes = whole_pages(bytes);
  void* const block = rank.heap.allocate_zeroed(bytes + arena::kPageBytes);
  if (!block) return nullptr;
  std::byte* const begin = page_down(static_cast<std::byte*>(block) + arena::kPageBytes - 1);
  file_table(rank).mappings[begin] = {static_cast<std::byte*>(block), bytes};
  return begin;
}

void* rank_mmap(void* address, std::size_t bytes, int protection, int flags, int descriptor, off_t offset) {
  Rank& rank = calling_rank("mmap");
  if (void* memory = map_in_slot(rank, bytes, protection, flags)) return memory;
  void* memory = mmap(address, bytes, protection, flags, descriptor, offset);
  if (memory == MAP_FAILED) return memory;
  if (flags & MAP_FIXED) detach_memory(rank, memory, bytes);
  attach_memory(rank, memory, bytes, kHoldsMapping);
  return memory;
}

/// Gives back the mapped parts of [begin, end).
void unmap_in_slot(Rank& rank, std::byte* begin, std::byte* end) {
  auto& mappings = file_table(rank).mappings;
  auto next = mappings.upper_bound(begin);
  if (next != mappings.begin()) --next;
  while (next != mappings.end() && next->first < end) {
    const auto [first, whole] = *next;
    std::byte* const last = first + whole.bytes;
    std::byte *const from = std::max(begin, first), *const to = std::min(end, last);
    if (from >= to) {
      ++next;
      continue;
    }
    next = mappings.erase(next);
    if (to < last)
      next = mappings.emplace_hint(next, to, SlotMapping{whole.block, static_cast<std::size_t>(last - to)});
    if (from > first)
      mappings.emplace_hint(next, first, SlotMapping{whole.block, static_cast<std::size_t>(from - first)});
    (void)mprotect(from, static_cast<std::size_t>(to - from), arena::usual_protection());
    detach_memory(rank, from, static_cast<std::size_t>(to - from));
    // The parts that are left of a block are neighbours.
    const bool rest_above = next != mappings.end() && next->second.block == whole.block;
    const bool rest_below = next != mappings.begin() && std::prev(next)->second.block == whole.block;
    if (rest_above || rest_below)
      arena::discard({from, static_cast<std::size_t>(to - from)});
    else
      rank.heap.release(whole.block);
  }
}

int rank_munmap(void* memory, std::size_t bytes) {
  Rank& rank = calling_rank("munmap");
  if (arena::in_arena(memory)) {
    if (!is_page(memory) || bytes == 0) {
      errno = EINVAL;
      return -1;
    }
    auto* const begin = static_cast<std::byte*>(memory);
    unmap_in_slot(rank, begin, begin + whole_pages(bytes));
    return 0;
  }
  const int result = munmap(memory, bytes);
  if (result == 0) detach_memory(rank, memory, bytes);
  return result;
}

void* remap_in_slot(Rank& rank, void* memory, std::size_t old_bytes, std::size_t new_bytes, int flags) {
  if (new_bytes <= old_bytes) {
    if (whole_pages(new_bytes) < whole_pages(old_bytes))
      unmap_in_slot(rank, static_cast<std::byte*>(memory) + whole_pages(new_bytes),
                    static_cast<std::byte*>(memory) + whole_pages(old_bytes));
    return memory;
  }
  void* const bigger = flags == MREMAP_MAYMOVE
                           ? map_in_slot(rank, new_bytes, kReadWrite, MAP_PRIVATE | MAP_ANONYMOUS)
                           : nullptr;
  if (!bigger) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  memcpy(bigger, memory, old_bytes);
  unmap_in_slot(rank, static_cast<std::byte*>(memory),
                static_cast<std::byte*>(memory) + whole_pages(old_bytes));
  return bigger;
}

void* rank_mremap(void* old_memory, std::size_t old_bytes, std::size_t new_bytes, int flags, ...) {
  Rank& rank = calling_rank("mremap");
  if (arena::in_arena(old_memory)) return remap_in_slot(rank, old_memory, old_bytes, new_bytes, flags);
  va_list args;
  va_start(args, flags);
  void* wanted = va_arg(args, void*);  // read only with MREMAP_FIXED
  va_end(args);
  void* memory = mremap(old_memory, old_bytes, new_bytes, flags, wanted);
  if (memory == MAP_FAILED) return memory;
  detach_memory(rank, old_memory, old_bytes);
  attach_memory(rank, memory, new_bytes, kHoldsMapping);
  return memory;
}

int rank_mprotect(void* memory, std::size_t bytes, int protection) {
  Rank& rank = calling_rank("mprotect");
  const int usual = arena::usual_protection();
  const bool inside = arena::in_arena(memory);
  const bool back = inside && (protection == kReadWrite || protection == usual);
  const int result = mprotect(memory, bytes, back ? usual : protection);
  if (result != 0 || !inside) return result;
  detach_memory(rank, memory, whole_pages(bytes));
  if (!back) attach_memory(rank, memory, whole_pages(bytes), kHoldsProtection);
  return result;
}

/// Returns the area for brk() and sbrk(): reserved in the slot when first used, since it never moves and
/// grows in one piece. Untouched pages of it take no memory.
ProgramBreak& program_break(Rank& rank) {
  ProgramBreak& area = file_table(rank).program_break;
  if (area.begin) return area;
  const auto left = static_cast<std::size_t>(rank.heap.end() - rank.heap.top());
  const std::size_t bytes = whole_pages(left / kWholeSlot);
  if (auto* const block = static_cast<std::byte*>(rank.heap.allocate_zeroed(bytes + arena::kPageBytes))) {
    std::byte* const begin = page_down(block + arena::kPageBytes - 1);
    area = {begin, begin, begin + bytes};
  }
  return area;
}
bool set_break(ProgramBreak& area, const std::byte* to) {
  if (!area.begin || to < area.begin || to > area.end) {
    errno = ENOMEM;
    return false;
  }
  std::byte* const wanted = area.begin + (to - area.begin);
  if (wanted < area.now)
    memset(wanted, 0, static_cast<std::size_t>(area.now - wanted));  // new pages are zero
  area.now = wanted;
  return true;
}
void* rank_sbrk(std::intptr_t bytes) {
  ProgramBreak& area = program_break(calling_rank("sbrk"));
  std::byte* const before = area.now;
  const bool fits = bytes < 0 ? area.now - area.begin >= -bytes : area.end - area.now >= bytes;
  if (!fits) errno = ENOMEM;
  return area.begin && fits && set_break(area, before + bytes) ? before : reinterpret_cast<void*>(-1);
}
int rank_brk(void* to) {
  return set_break(program_break(calling_rank("brk")), static_cast<std::byte*>(to)) ? 0 : -1;
}

/// Advises. Memory that other PEs map as well reads as zeroes only if it is removed from the file behind it.
int rank_madvise(void* memory, std::size_t bytes, int advice) {
  if (!arena::in_arena(memory) || (advice != MADV_DONTNEED && advice != MADV_FREE))
    return madvise(memory, bytes, advice);
  if (!is_page(memory)) {
    errno = EINVAL;
    return -1;
  }
  if (advice == MADV_DONTNEED && bytes > 0)
    arena::discard({static_cast<std::byte*>(memory), whole_pages(bytes)});
  return 0;
}

}  // namespace

const Overrides mapping_overrides({
    {"mmap", address_of(rank_mmap)},
    {"mmap64", address_of(rank_mmap)},
    {"munmap", address_of(rank_munmap)},
    {"mremap", address_of(rank_mremap)},
    {"mprotect", address_of(rank_mprotect)},
    {"madvise", address_of(rank_madvise)},
    {"sbrk", address_of(rank_sbrk)},
    {"brk", address_of(rank_brk)},
});

}  // namespace skein::libc
