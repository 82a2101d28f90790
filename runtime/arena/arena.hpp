// SPDX-License-Identifier: Apache-2.0
// The arena: one region of addresses, the same on every PE, divided into power-of-two slots, one slot a rank.
//
//   slot(i) = kArenaBase + (i << slot_shift)
//
// Inside a slot:   guard | stack | control block | image | TLS copy | heap ........ |
//
//   contents(i) = slot(i) + shift(i)      what the offsets of SlotLayout count from
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
inline constexpr std::size_t kMostSlotBytes = std::size_t{64} << 30;  // heap_block.hpp's bins count on it

enum class Backing {
  node_shared,   ///< one memfd, mapped by all PEs of a node: a move inside the node hands the slot over
  private_pages  ///< anonymous memory of this PE: a move copies the touched pages
};

/// What is where in every slot; equal on all PEs. Offsets are in bytes from the start of its contents.
///   guard_bytes + stack_bytes == control_offset
struct SlotLayout {
  std::size_t slot_bytes = 0;      ///< power of two, at least kLeastSlotBytes
  std::size_t guard_bytes = 0;     ///< without page_shift(), by which each slot's is larger
  std::size_t stack_bytes = 0;     ///< multiple of the page
  std::size_t control_offset = 0;  ///< start of the page(s) holding the control block
  std::size_t image_offset = 0;    ///< contents(i) + image_offset is a multiple of image_alignment
  std::size_t image_alignment = kPageBytes;
  std::size_t heap_offset = 0;  ///< a multiple of 64: the heap may begin in the image's last page
  friend bool operator==(const SlotLayout&, const SlotLayout&) = default;
};

/// Throws skein::Error when the parts do not fit or slot_bytes is no power of two; the message names
/// --slot-size and --stack-size. `control_bytes` includes room for the colour (see colour());
/// `image_alignment` is a power of two, at least the page.
SlotLayout make_layout(std::size_t slot_bytes, std::size_t stack_bytes, std::size_t control_bytes,
                       std::size_t image_bytes, std::size_t image_alignment = kPageBytes);

/// The largest slot (at most 64 GiB) with which `slots` of them fit the arena. Throws skein::Error if none
/// does.
std::size_t default_slot_bytes(std::size_t slots);

// Slots are a power of two apart, so what lies at one offset of all of them falls into one set of everything
// that a processor indexes by low address bits: first-level cache, second-level TLBs, branch targets. Ranks
// that take turns would throw each other out of it: on Zen 4, a barrier of 64 ranks took 2.5 times as long.
// Two shifts by the slot's number keep them apart.

/// The contents of a slot begin this many bytes behind its start: a different number of pages, below 64, for
/// each of 64 neighbours. 17 spreads consecutive slots, which may have several hot pages each. Where the
/// image must be aligned to more than a page, to 2 MiB say, fewer neighbours differ, or none.
constexpr std::size_t page_shift(std::size_t slot) { return slot * 17 % 64 * kPageBytes; }
inline constexpr std::size_t kPageShiftRoom = 64 * kPageBytes;

/// Control block and heap begin this many bytes later still, a different multiple of 128 for each of 16
/// neighbours. Below 4096.
constexpr std::size_t colour(std::size_t slot) { return (slot & 15) * 128; }
inline constexpr std::size_t kColourRoom = 2048;

/// Reserves the region for `slots` slots and makes it usable. Once per process, before any rank exists.
/// For Backing::node_shared, `memfd` is the node's memory file (see create_memory_file), which stays open;
/// else -1. Throws skein::Error when the system refuses.
void reserve(const SlotLayout& layout, std::size_t slots, Backing backing, int memfd);
/// Gives all of it back, memory and addresses: when the runtime that reserved it ends and nothing is in it.
void release();

/// Creates the memory file that backs the arena of a node. Throws skein::Error.
int create_memory_file(std::size_t bytes);

/// What is in force after reserve(); read-only for everybody else.
struct ReservedArena {
  SlotLayout layout;
  unsigned slot_shift = 0;
  std::size_t slot_count = 0;
  std::size_t page_shift_mask = ~(kPageBytes - 1);  ///< -image_alignment: what is left of page_shift()
  Backing backing = Backing::private_pages;
  int memory_file = -1;  ///< the descriptor behind node-shared backing, -1 for private pages
  /// Set before any rank exists: install_guards() makes the stacks of its slots executable, for programs that
  /// build code there, as compilers do for a nested function whose address is taken.
  bool executable_stacks = false;
  /// Whether code may run anywhere in the arena: set before reserve(). Equal on all PEs.
  bool executable = false;
  std::uintptr_t end = kArenaBase;  ///< kArenaBase before reserve(), so that in_arena() is false
  /// Heaps from this size on ask the system for huge pages (0: none does). The same on all PEs; set once,
  /// before there is any.
  std::size_t huge_pages_from = 0;
};
extern ReservedArena reserved;

inline bool in_arena(const void* p) {
  return reinterpret_cast<std::uintptr_t>(p) - kArenaBase < reserved.end - kArenaBase;
}
inline std::byte* slot_address(std::size_t slot) {
  return reinterpret_cast<std::byte*>(kArenaBase + (slot << reserved.slot_shift));
}
/// What the offsets of the layout count from.
inline std::byte* contents_address(std::size_t slot) {
  return slot_address(slot) + (page_shift(slot) & reserved.page_shift_mask);
}
/// Precondition: in_arena(p).
inline std::size_t slot_of(const void* p) {
  return (reinterpret_cast<std::uintptr_t>(p) - kArenaBase) >> reserved.slot_shift;
}
/// Start of the slot's control block (of the type that `rank/` puts there), and upper end of its stack.
inline std::byte* control_address(std::size_t slot) {
  return contents_address(slot) + reserved.layout.control_offset + colour(slot);
}
/// Lower end of the slot's stack.
inline std::byte* stack_address(std::size_t slot) {
  return contents_address(slot) + reserved.layout.control_offset - reserved.layout.stack_bytes;
}
/// Start of the slot's heap, which ends where the next slot begins.
inline std::byte* heap_address(std::size_t slot) {
  return contents_address(slot) + reserved.layout.heap_offset + colour(slot);
}

struct Range {
  std::byte* begin;
  std::size_t bytes;
};

/// All between the slot's stack and the previous slot.
Range guard_of(std::size_t slot);
/// Makes the guards of these slots unusable on this PE, so that an overflow faults; for many ranks in one
/// call, and before their memory is touched. Needed again on a PE where a slot arrives; repeating it is
/// harmless. Throws skein::Error at the system's limit of mappings, naming vm.max_map_count.
///
/// A guard is all that guard_of() says where its two mappings are no matter, because those of this PE's
/// guards are at most an eighth of what the system allows. Beyond that it is a mark in the page table
/// (Linux 6.13, for shared memory 6.15), which costs no mapping but memory for its length, so only where a
/// page-table page is needed anyway: 128 KiB at least, 2 MiB at most.
void install_guards(std::span<const std::size_t> slots);
/// Makes the slot's guard and stack ordinary memory again, and gives their mappings back: when the slot is
/// another PE's.
void remove_guard(std::size_t slot);
/// Whether an address that faulted lies in the guard of a slot's stack.
bool in_guard(const void* p);

/// Makes pages inside a slot, below a stack that lies in the slot's heap, unusable on this PE; what they held
/// is lost, and from then on they read as zeroes elsewhere. False at the system's limit of mappings.
[[nodiscard]] bool protect(Range pages);
/// Where stacks are to be executable, makes these pages of a stack in the slot's heap so, on this PE. False
/// when the system refuses, with errno.
[[nodiscard]] bool make_executable(Range pages);
/// The opposite of both.
void unprotect(Range pages);

/// Appends the pages of [begin, end) that hold data (were ever written, and not discarded since) as ranges in
/// ascending order; `begin` is a page's start. Guards are left out, for they must not be read. What tells:
///   private pages   /proc/self/pagemap; where that is sealed, every page counts. About 0.8 ms for 64 MiB of
///                   touched pages and 0.6 ms for 1 GiB of untouched ones
///   node-shared     the data and holes of the memory file (lseek(2)), which also has what other PEs of the
///                   node have written and this process never mapped. A page that was only read may count
void touched_ranges(std::byte* begin, std::byte* end, std::vector<Range>& out);
/// How many bytes of a range, whole pages, hold data, by mincore(2): some 3 ns a page. Private pages that are
/// swapped out are missed, and guards count like what they guard; where the system does not tell, all count.
std::size_t resident_bytes(Range range);
/// Has the system provide the pages of these ranges, whole pages that are about to be written: sooner than by
/// a fault for each. Where the kernel does not take several ranges at once (before 6.13), or lacks memory,
/// the rest is left to faults.
void provide_pages(std::span<const Range> ranges);
/// Makes a range that a file was mapped into memory of the arena again, as reserve() left it: nothing of its
/// own that was written there before is left with private backing. Whole pages. Throws skein::Error when the
/// system refuses.
void unmap_file(Range range);
/// Core dumps have nothing of the arena, which is as large as addresses go, but what is included.
/// Async-signal-safe.
void include_in_core_dumps(Range range);
inline constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;
/// Asks for such in the part of the range that can be made of them. Where the system has none to give,
/// nothing happens. Advice belongs to the process: another that gets the slot asks anew. Leaves errno alone.
void prefer_huge_pages(Range range);
/// Gives the pages of a range back to the system; they read as zeroes afterwards. With node-shared backing
/// this holds for all PEs of the node. Whole pages of the arena's own mapping: no guard (older kernels refuse
/// to punch through one) and no file of a program. Leaves errno alone.
void discard(Range range);
/// With node-shared backing: this PE lets go of its view of the pages, which stay as they are; it meets them
/// anew when it touches them. Whatever this process keeps about the pages behind the addresses, page tables
/// as well as registrations of the MPI underneath with a network, is out of date once another PE of the node
/// may have given some back. Whole pages of the arena's own mapping, guards included. Nothing happens with
/// private pages.
void forget(Range range);

/// What one page-table page maps.
inline constexpr std::size_t kPageTableReach = std::size_t{2} << 20;

/// What the arena's memory is mapped with.
int usual_protection();

/// Memory of the arena again where something else was mapped into a slot: whole pages, that read as zeroes on
/// private pages, and as what the node's file has there on shared ones.
void map_again(Range range);

}  // namespace skein::arena
