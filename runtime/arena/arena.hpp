// SPDX-License-Identifier: Apache-2.0
// The arena: one region of addresses, the same on every PE, divided into power-of-two slots, one slot a rank.
//
//   slot(i) = kArenaBase + (i << slot_shift)
//
// Inside a slot:   guard | stack | control block | image | TLS copy | heap ........ |
//
//   contents(i) = slot(i) + shift(i)      the base of the offsets of SlotLayout
//   shift(i) = page_shift(i), rounded down to a multiple of the image's alignment
//
// so that what an idle rank touches (top of the stack to the first page of the heap) is adjacent. The guard
// is all that lies between the stack and the previous slot's heap, an eighth of the slot or somewhat more,
// which puts what an idle rank touches into one page-table page. The stack begins right below the control
// block, in the same page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skein::arena {

/// Fixed, and above the shadow memory of the sanitizers (which ends just above 16 TiB).
inline constexpr std::uintptr_t kArenaBase = 0x1100'0000'0000;
inline constexpr std::size_t kArenaLimitBytes = std::size_t{64} << 40;
inline constexpr std::size_t kPageBytes = 4096;
inline constexpr std::size_t kLeastSlotBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMostSlotBytes = std::size_t{64} << 30;  // the bins of heap_block.hpp rely on it

enum class Backing {
  node_shared,   ///< one memfd, mapped by all PEs of a node: a move inside the node hands the slot over
  private_pages  ///< anonymous memory of this PE: a move copies the touched pages
};

/// The layout of every slot; equal on all PEs. Offsets are in bytes from the start of its contents.
///   guard_bytes + stack_bytes == control_offset
struct SlotLayout {
  std::size_t slot_bytes = 0;      ///< power of two, at least kLeastSlotBytes
  std::size_t guard_bytes = 0;     ///< without page_shift(), which enlarges each slot's guard
  std::size_t stack_bytes = 0;     ///< multiple of the page
  std::size_t control_offset = 0;  ///< start of the page(s) holding the control block
  std::size_t image_offset = 0;    ///< contents(i) + image_offset is a multiple of image_alignment
  std::size_t image_alignment = kPageBytes;
  std::size_t heap_offset = 0;  ///< a multiple of 64: the heap may begin in the image's last page
  friend bool operator==(const SlotLayout&, const SlotLayout&) = default;
};

/// Makes the layout. Throws skein::Error when the parts do not fit or slot_bytes is no power of two; the
/// message names --slot-size and --stack-size. `control_bytes` includes room for the colour (see colour());
/// `image_alignment` is a power of two, at least the page.
SlotLayout make_layout(std::size_t slot_bytes, std::size_t stack_bytes, std::size_t control_bytes,
                       std::size_t image_bytes, std::size_t image_alignment = kPageBytes);

/// Returns the largest slot size (at most 64 GiB) with which `slots` of them fit the arena. Throws
/// skein::Error if none does.
std::size_t default_slot_bytes(std::size_t slots);

// Slots are a power of two apart, so equal offsets in all of them fall into one set of each structure that a
// processor indexes by low address bits: first-level cache, second-level TLBs, branch targets. Ranks that
// take turns would evict each other: on Zen 4, a barrier of 64 ranks took 2.5 times as long. Two shifts by
// the slot's number keep them apart.

/// Returns by how many bytes the contents of a slot begin behind its start: a different number of pages,
/// below 64, for each of 64 neighbours. 17 spreads consecutive slots, which may have several hot pages each.
/// Where the image must be aligned to more than a page, to 2 MiB say, fewer neighbours differ, or none.
constexpr std::size_t page_shift(std::size_t slot) { return slot * 17 % 64 * kPageBytes; }
inline constexpr std::size_t kPageShiftRoom = 64 * kPageBytes;

/// Returns by how many bytes control block and heap begin later still: a different multiple of 128, below
/// 4096, for each of 16 neighbours.
constexpr std::size_t colour(std::size_t slot) { return (slot & 15) * 128; }
inline constexpr std::size_t kColourRoom = 2048;

/// Reserves the region for `slots` slots and makes it usable. Once per process, before any rank exists. For
/// Backing::node_shared, `memfd` is the node's memory file (see create_memory_file), which stays open; else
/// -1. Throws skein::Error when the system refuses.
void reserve(const SlotLayout& layout, std::size_t slots, Backing backing, int memfd);
/// Gives back the region, memory and addresses, when the runtime that reserved it ends and nothing is in it.
void release();

/// Creates the memory file that backs the arena of a node. Throws skein::Error.
int create_memory_file(std::size_t bytes);

/// The reserved arena, as reserve() made it; read-only for everybody else.
struct ReservedArena {
  SlotLayout layout;
  unsigned slot_shift = 0;
  std::size_t slot_count = 0;
  std::size_t page_shift_mask = ~(kPageBytes - 1);  ///< -image_alignment: the bits kept of page_shift()
  Backing backing = Backing::private_pages;
  int memory_file = -1;  ///< the descriptor behind node-shared backing, -1 for private pages
  /// Makes install_guards() make the stacks of its slots executable, for programs that build code there, as
  /// compilers do for a nested function whose address is taken. Set before any rank exists.
  bool executable_stacks = false;
  /// True if code may run anywhere in the arena: set before reserve(). Equal on all PEs.
  bool executable = false;
  std::uintptr_t end = kArenaBase;  ///< kArenaBase before reserve(), so that in_arena() is false
  /// The size from which on heaps ask the system for huge pages (0: none asks). The same on all PEs; set
  /// once, before there is any heap.
  std::size_t huge_pages_from = 0;
};
extern ReservedArena reserved;

inline bool in_arena(const void* p) {
  return reinterpret_cast<std::uintptr_t>(p) - kArenaBase < reserved.end - kArenaBase;
}
inline std::byte* slot_address(std::size_t slot) {
  return reinterpret_cast<std::byte*>(kArenaBase + (slot << reserved.slot_shift));
}
/// Returns the base of the layout's offsets.
inline std::byte* contents_address(std::size_t slot) {
  return slot_address(slot) + (page_shift(slot) & reserved.page_shift_mask);
}
/// Returns the slot that holds an address. Precondition: in_arena(p).
inline std::size_t slot_of(const void* p) {
  return (reinterpret_cast<std::uintptr_t>(p) - kArenaBase) >> reserved.slot_shift;
}
/// Returns the start of the slot's control block (whose type `rank/` defines), which is the upper end of its
/// stack.
inline std::byte* control_address(std::size_t slot) {
  return contents_address(slot) + reserved.layout.control_offset + colour(slot);
}
/// Returns the lower end of the slot's stack.
inline std::byte* stack_address(std::size_t slot) {
  return contents_address(slot) + reserved.layout.control_offset - reserved.layout.stack_bytes;
}
/// Returns the start of the slot's heap, which ends where the next slot begins.
inline std::byte* heap_address(std::size_t slot) {
  return contents_address(slot) + reserved.layout.heap_offset + colour(slot);
}

struct Range {
  std::byte* begin;
  std::size_t bytes;
};

/// Returns the range between the slot's stack and the previous slot.
Range guard_of(std::size_t slot);
/// Makes the guards of these slots unusable on this PE, so that an overflow faults; for many ranks in one
/// call, and before their memory is touched. Needed again on a PE where a slot arrives; repeating it is
/// harmless. Throws skein::Error at the system's limit of mappings, naming vm.max_map_count.
///
/// A guard is the whole range of guard_of() while its two mappings do not matter, because those of this PE's
/// guards are at most an eighth of what the system allows. Beyond that it is a mark in the page table (Linux
/// 6.13, for shared memory 6.15), which costs no mapping but memory for its length, and so covers only where
/// a page-table page is needed anyway: 128 KiB at least, 2 MiB at most.
void install_guards(std::span<const std::size_t> slots);
/// Makes the slot's guard and stack ordinary memory again, and gives their mappings back, when another PE
/// owns the slot.
void remove_guard(std::size_t slot);
/// Returns true if an address that faulted lies in the guard of a slot's stack.
bool in_guard(const void* p);

/// Makes pages inside a slot, below a stack that lies in the slot's heap, unusable on this PE. Their contents
/// are lost, and they read as zeroes elsewhere from then on. Returns false at the system's limit of mappings.
[[nodiscard]] bool protect(Range pages);
/// Makes pages of a stack in the slot's heap executable on this PE, if stacks are to be. Returns false with
/// errno when the system refuses.
[[nodiscard]] bool make_executable(Range pages);
/// Undoes protect() and make_executable().
void unprotect(Range pages);

/// Appends the pages of [begin, end) that hold data (were ever written, and not discarded since) as ranges in
/// ascending order; `begin` is a page's start. Guards are left out, for they must not be read. The source is,
/// for
///   private pages   /proc/self/pagemap; where that is sealed, every page counts. About 0.8 ms for 64 MiB of
///                   touched pages and 0.6 ms for 1 GiB of untouched ones
///   node-shared     the data and holes of the memory file (lseek(2)), which also has what other PEs of the
///                   node have written and this process never mapped. A page that was only read may count
void touched_ranges(std::byte* begin, std::byte* end, std::vector<Range>& out);
/// Returns how many bytes of a range, whole pages, hold data, by mincore(2): some 3 ns a page. Misses private
/// pages that are swapped out, and counts guards like what they guard; if the system does not tell, all pages
/// count.
std::size_t resident_bytes(Range range);
/// Lets the system provide the pages of these ranges, whole pages that are about to be written: faster than a
/// fault for each. If the kernel does not take several ranges at once (before 6.13), or lacks memory, faults
/// provide the rest.
void provide_pages(std::span<const Range> ranges);
/// Makes a range to which a file was mapped memory of the arena again, as reserve() left it; with private
/// backing, what was written there before is lost. Whole pages. Throws skein::Error when the system refuses.
void unmap_file(Range range);
/// Includes the range in core dumps, which otherwise omit the arena, as it is as large as addresses go.
/// Async-signal-safe.
void include_in_core_dumps(Range range);
inline constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;
/// Asks for huge pages in the part of the range that can consist of them. Does nothing if the system has
/// none. Advice belongs to the process: another that gets the slot asks anew. Leaves errno alone.
void prefer_huge_pages(Range range);
/// Gives the pages of a range back to the system; they read as zeroes afterwards. With node-shared backing
/// this holds for all PEs of the node. Whole pages of the arena's own mapping: no guard (older kernels refuse
/// to punch through one) and no file of a program. Leaves errno alone.
void discard(Range range);
/// Unmaps, with node-shared backing, this PE's view of the pages, which stay as they are; touching them maps
/// them anew. What this process keeps about the pages behind the addresses, in page tables and in
/// registrations of the MPI underneath with a network, is out of date once another PE of the node may have
/// given some back. Whole pages of the arena's own mapping, guards included. Does nothing with private pages.
void forget(Range range);

/// The bytes that one page-table page maps.
inline constexpr std::size_t kPageTableReach = std::size_t{2} << 20;

/// Returns the protection of the arena's memory.
int usual_protection();

/// Maps memory of the arena again where something else was mapped into a slot: whole pages, which read as
/// zeroes if private, and as the node's file if shared.
void map_again(Range range);

}  // namespace skein::arena
