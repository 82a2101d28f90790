// SPDX-License-Identifier: Apache-2.0
// Memory of a node in which large vectors go from PE to PE. A block is filled by one PE, which tells another
// its place; that one makes it the storage of the vector that it unpacks, so that nothing is copied twice,
// and the vector frees it like any other storage: operator delete of native programs
// (shared_blocks_delete.cpp) knows such memory. The block goes back to the PE that allocated it, for its next
// message.
//
// Each block has holders: a message or vector each, of any process. Who lets go of it last gives it back:
//
//     holders = 0    free: in a list of its owner, or on the way there
//             > 0    as many release() are to come
//
// A PE's part of the memory is an equal share of what the machine has, of which only pages that have been
// used take any. With none left for a message it goes another way.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "skein/pup/blocks.hpp"

namespace skein::chare {

/// Makes it, where PEs share memory, free what operator new gave by ours, and are no node of one. Collective,
/// once, with the descriptor channel open.
void open_shared_blocks();
/// It stays while vectors of this process are in it, and another job of the process does without.
void close_shared_blocks();
/// Whether that PE can take a block's place for its bytes: it is another one of this node, whose memory is
/// not in another domain.
bool shares_blocks_with(int pe);

/// A block of this PE's memory with one holder, aligned to a cache line. Null: there is none left, or a block
/// of this size is not worth it.
std::byte* allocate_shared(std::size_t bytes);
/// A block of this PE or another gets one holder more. Precondition: it is held.
void hold_shared(const std::byte* block);
bool has_other_holders(const std::byte* block);
/// On any thread.
void release_shared(const void* block);

/// A holder goes to another process as a place.
std::uint64_t hand_over_shared(const std::byte* block);
std::byte* take_over_shared(std::uint64_t place);

/// Moves all that `blocks` has, or lends, into such memory. What lends is ended; its blocks that are in such
/// memory stay where they are if `may_keep`, and nobody else turns out to hold them. False: not all have
/// found room.
bool move_to_shared(pup::Blocks& blocks, bool may_keep);

/// What is free and not given back, and to give it back to the operating system.
std::size_t spare_shared_bytes();
void give_back_shared_blocks();

struct BlockMemory {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::size_t part_bytes = 0;                ///< of a PE
  int file = -1;                             ///< the memory's
  std::atomic<std::size_t> holders_here{0};  ///< in this process
};
extern BlockMemory block_memory;
inline bool is_shared(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory) - block_memory.begin < block_memory.bytes;
}

}  // namespace skein::chare

/// The names of what operator delete is in programs that have none of their own (shared_blocks_delete.cpp).
extern "C" {
void skein_delete(void* memory) noexcept;
void skein_delete_sized(void* memory, std::size_t bytes) noexcept;
}
