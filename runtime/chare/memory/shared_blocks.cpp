// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/memory/shared_blocks.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "runtime/balance/memory_domains.hpp"
#include "runtime/chare/memory/memory_parts.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/shared_memory.hpp"
#include "runtime/net/transport.hpp"

/// Weak: a reference alone does not link these functions.
extern "C" {
[[gnu::weak]] void skein_delete(void* memory) noexcept;
[[gnu::weak]] void skein_delete_sized(void* memory, std::size_t bytes) noexcept;
}

namespace skein::chare {

BlockMemory block_memory;

namespace {

/// Smaller parts are not worth a mapping.
constexpr std::size_t kLeastPart = 16 * 1024 * 1024;
/// The most bytes of free blocks to keep; more are given back at once.
constexpr std::size_t kMostSpare = 64 * 1024 * 1024;
/// Longer blocks would be fresh each time.
constexpr std::size_t kLongestBlock = kMostSpare / 2;
/// A page that both PEs touch for the first time costs 2 to 3 us more than a bulk transfer of its bytes, and
/// each reuse saves 0.2 to 0.5 us. By the ski-rental rule a block is made after so many bulk transfers of its
/// size that their loss would have paid for it.
constexpr int kMissedBeforeFresh = 8;
constexpr std::uint64_t kNoBlock = 0;  // a place in a part's head

/// The head in front of a block's bytes.
struct alignas(kLineBytes) Head {
  std::atomic<std::uint32_t> holders;
  std::uint16_t owner;  // place on the node
  bool fresh;           // no other PE has had its pages
  std::uint64_t bytes;  // with the head
  std::uint64_t next;   // in a list of free blocks: the next place, or kNoBlock
};
/// The first page of a PE's part.
struct alignas(kLineBytes) PartHead {
  std::atomic<std::uint64_t> returned;  // a list of places, put here by the last holder
  std::atomic<std::uint64_t> returned_bytes;
};

std::byte* at_place(std::uint64_t place) { return reinterpret_cast<std::byte*>(block_memory.begin) + place; }
std::uint64_t place_of(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory) - block_memory.begin;
}
Head& head_at(std::uint64_t place) { return *reinterpret_cast<Head*>(at_place(place)); }
Head& head_of(const void* block) { return head_at(place_of(block) - sizeof(Head)); }
std::byte* bytes_of_block(std::uint64_t place) { return at_place(place + sizeof(Head)); }
PartHead& part_of(std::size_t owner) {
  return *reinterpret_cast<PartHead*>(at_place(owner * block_memory.part_bytes));
}

/// Returns the bytes of a block with its head, one of few sizes, so that a returned block fits others.
std::uint64_t with_head(std::size_t bytes) {
  bytes += sizeof(Head);
  const std::size_t unit = std::max(kPageBytes, std::bit_floor(bytes) / 8);
  return (bytes + unit - 1) / unit * unit;
}

/// Returns true if operator delete, called from anywhere in the process, is that of shared_blocks_delete.cpp.
bool deletes_shared_blocks() {
  using Delete = void (*)(void*) noexcept;
  using SizedDelete = void (*)(void*, std::size_t) noexcept;
  // Read at run time: compilers assume that two functions have different addresses.
  const volatile Delete linked = static_cast<Delete>(&::operator delete), ours = skein_delete;
  const volatile SizedDelete sized_linked = static_cast<SizedDelete>(&::operator delete),
                             sized_ours = skein_delete_sized;
  const auto found_by_libraries = [](const char* name, auto function) {
    return dlsym(RTLD_DEFAULT, name) == reinterpret_cast<void*>(function);
  };
  return ours && sized_ours && linked == ours && sized_linked == sized_ours &&
         found_by_libraries("_ZdlPv", Delete(ours)) && found_by_libraries("_ZdlPvm", SizedDelete(sized_ours));
}

/// Returns the bytes that this PE suggests for the node, or 0.
std::uint64_t wanted_bytes() {
  if (block_memory.holders_here > 0 || !deletes_shared_blocks()) return 0;
  std::uint64_t bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * kPageBytes;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = std::min<std::uint64_t>(bytes, limit.rlim_cur / 4);
  // A longer file is not just refused: a signal ends the process.
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = std::min<std::uint64_t>(bytes, limit.rlim_cur);
  return bytes;
}

/// Gives a forked child its own copy of the memory, like all its other memory.
void part_from_parent() {
  if (block_memory.bytes > 0)
    mmap(at_place(0), block_memory.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE,
         block_memory.file, 0);
}

void give_back(std::uint64_t place, std::uint64_t bytes) {
  madvise(at_place(place), bytes, MADV_REMOVE);
  memory_parts->blocks.free_ranges.give(place, bytes);
}

void take_back_returned() {
  PartHead& part = part_of(static_cast<std::size_t>(net::world.node_pe));
  if (part.returned.load(std::memory_order_relaxed) == kNoBlock) return;
  // Acquire: pairs with release_shared().
  for (std::uint64_t place = part.returned.exchange(kNoBlock, std::memory_order_acquire);
       place != kNoBlock;) {
    Head& head = head_at(place);
    const std::uint64_t bytes = head.bytes, next = head.next;
    part.returned_bytes.fetch_sub(bytes, std::memory_order_relaxed);
    if (memory_parts->blocks.spare_bytes + bytes > kMostSpare) {
      give_back(place, bytes);
    } else {
      head.next = std::exchange(memory_parts->blocks.spare[bytes].first, place);
      memory_parts->blocks.spare_bytes += bytes;
    }
    place = next;
  }
}

std::uint64_t take_spare(std::uint64_t bytes, BlockParts::Spare& of_size) {
  const std::uint64_t place = of_size.first;
  of_size.first = head_at(place).next;
  memory_parts->blocks.spare_bytes -= bytes;
  return place;
}

/// Touches all pages at once, which is faster than one by one. Returns false if there are none.
bool meet_pages(std::uint64_t place, std::uint64_t bytes) {
  return madvise(at_place(place), bytes, MADV_POPULATE_WRITE) == 0 || errno == EINVAL;  // older systems
}

std::uint64_t take_fresh(std::uint64_t bytes) {
  const auto place = memory_parts->blocks.free_ranges.take(bytes, kPageBytes);
  if (!place) return kNoBlock;
  if (!meet_pages(*place, bytes)) {
    give_back(*place, bytes);
    return kNoBlock;
  }
  head_at(*place).fresh = true;
  return *place;
}

}  // namespace

void open_shared_blocks() {
  const std::uint64_t mine = wanted_bytes();
  std::vector<std::uint64_t> all(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, all.data());
  const std::uint64_t bytes = *std::ranges::min_element(all);
  if (bytes / static_cast<std::uint64_t>(net::world.pes) < kLeastPart || net::world.pes == net::world.nodes ||
      !net::can_share_memory())
    return;
  const std::vector<int>& pes = net::world.node_pes;
  block_memory.part_bytes = bytes / pes.size() / kPageBytes * kPageBytes;
  std::byte* const memory =
      net::share_memory(pes.size() * block_memory.part_bytes, "large vectors go through the MPI underneath",
                        &block_memory.file);
  if (!memory) return;
  block_memory.begin = reinterpret_cast<std::uintptr_t>(memory);
  block_memory.bytes = pes.size() * block_memory.part_bytes;
  memory_parts->blocks.free_ranges.give(
      static_cast<std::uint64_t>(net::world.node_pe) * block_memory.part_bytes + kPageBytes,
      block_memory.part_bytes - kPageBytes);
  static const int in_children = pthread_atfork(nullptr, nullptr, part_from_parent);
  (void)in_children;
  balance::find_memory_domains();
  memory_parts->blocks.reached.resize(static_cast<std::size_t>(net::world.pes));
  for (const int pe : pes)
    memory_parts->blocks.reached[static_cast<std::size_t>(pe)] =
        pe != net::world.pe && !balance::are_memories_apart(pe, net::world.pe);
}

void close_shared_blocks() {
  if (block_memory.bytes == 0 || block_memory.holders_here > 0) return;
  munmap(at_place(0), block_memory.bytes);
  close(block_memory.file);
  block_memory.begin = block_memory.bytes = 0;
}

bool shares_blocks_with(int pe) {
  return !memory_parts->blocks.reached.empty() && memory_parts->blocks.reached[static_cast<std::size_t>(pe)];
}

std::byte* allocate_shared(std::size_t bytes) {
  if (bytes > kLongestBlock) return nullptr;
  const std::uint64_t whole = with_head(bytes);
  take_back_returned();
  BlockParts::Spare& of_size = memory_parts->blocks.spare[whole];
  std::uint64_t place = kNoBlock;
  if (of_size.first != kNoBlock) {
    place = take_spare(whole, of_size);
  } else if (++of_size.missed >= kMissedBeforeFresh) {
    of_size.missed = 0;
    place = take_fresh(whole);
  }
  if (place == kNoBlock) return nullptr;
  Head& head = head_at(place);
  head.holders.store(1, std::memory_order_relaxed);
  head.owner = static_cast<std::uint16_t>(net::world.node_pe);
  head.bytes = whole;
  ++block_memory.holders_here;
  return bytes_of_block(place);
}

void hold_shared(const std::byte* block) {
  head_of(block).holders.fetch_add(1, std::memory_order_relaxed);
  ++block_memory.holders_here;
}

bool has_other_holders(const std::byte* block) {
  return head_of(block).holders.load(std::memory_order_acquire) > 1;  // pairs with release_shared()
}

void release_shared(const void* block) {
  --block_memory.holders_here;
  Head& head = head_of(block);
  // Both orders: the acts of earlier holders come before those of the next.
  if (head.holders.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  PartHead& part = part_of(head.owner);
  const std::uint64_t bytes = head.bytes;
  // The owner may be busy for long. The pages are the node's: any PE can give them back.
  if (part.returned_bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes > kMostSpare)
    madvise(reinterpret_cast<std::byte*>(&head) + kPageBytes, bytes - kPageBytes, MADV_REMOVE);
  head.next = part.returned.load(std::memory_order_relaxed);
  // Release: pairs with take_back_returned().
  while (!part.returned.compare_exchange_weak(head.next, place_of(&head), std::memory_order_release,
                                              std::memory_order_relaxed)) {
  }
}

std::uint64_t hand_over_shared(const std::byte* block) {
  --block_memory.holders_here;
  return place_of(block);
}
std::byte* take_over_shared(std::uint64_t place) {
  ++block_memory.holders_here;
  std::byte* const block = at_place(place);
  Head& head = head_of(block);
  if (std::exchange(head.fresh, false)) meet_pages(place_of(&head), head.bytes);
  return block;
}

bool move_to_shared(pup::Blocks& blocks, bool may_keep) {
  struct Moved {
    std::byte* data;
    std::size_t bytes;
    bool stays;
  };
  std::vector<Moved> moved;
  moved.reserve(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const pup::Blocks::Block& block = blocks[i];
    const bool stays = is_shared(block.data) && (block.memory || may_keep);
    auto* const at = stays ? const_cast<std::byte*>(block.data) : allocate_shared(block.bytes);
    if (!at) {
      for (const Moved& each : moved) release_shared(each.data);
      return false;
    }
    if (stays)
      hold_shared(at);
    else
      memcpy(at, block.data, block.bytes);
    moved.push_back({at, block.bytes, stays});
  }
  blocks = {};
  bool all = true;
  for (const auto& [data, bytes, stays] : moved) {
    if (!stays || !has_other_holders(data)) {
      blocks.adopt(data, bytes);
      continue;
    }
    // The lender is not the only holder, so others may still use the block.
    std::byte* const copy = allocate_shared(bytes);
    if (copy) blocks.adopt(copy, bytes);
    memcpy(copy ? copy : blocks.allocate(bytes), data, bytes);
    release_shared(data);
    all &= copy != nullptr;
  }
  return all;
}

std::size_t spare_shared_bytes() {
  if (block_memory.bytes > 0) take_back_returned();
  return memory_parts->blocks.spare_bytes;
}

void give_back_shared_blocks() {
  if (block_memory.bytes == 0) return;
  take_back_returned();
  for (auto& [bytes, of_size] : memory_parts->blocks.spare)
    while (of_size.first != kNoBlock) give_back(take_spare(bytes, of_size), bytes);
}

}  // namespace skein::chare
