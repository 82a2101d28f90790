// SPDX-License-Identifier: Apache-2.0
// Memory of a node in which large vectors go from PE to PE. A PE fills a block and tells another its place;
// the receiver makes it the storage of the vector that it unpacks, so that nothing is copied twice, and the
// vector frees it like any other storage: operator delete of native programs (shared_blocks_delete.cpp) knows
// such memory. The block goes back to the PE that allocated it, for its next message.
//
// Each block has holders: messages or vectors, of any process. The last to release it gives it back:
//
//     holders = 0    free: in a list of its owner, or on the way there
//             > 0    as many release() are to come
//
// A PE's part of the memory is an equal share of the machine's, of which only used pages take memory. If a
// part is used up a message goes another way.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "skein/pup/blocks.hpp"

namespace skein::chare {

/// Makes the memory, if PEs share memory, operator delete is ours, and a node has several PEs. Collective,
/// once, with the descriptor channel open.
void open_shared_blocks();
/// Ends the memory, unless vectors of this process are in it: then it stays, and later jobs of the process do
/// without.
void close_shared_blocks();
/// Returns true if that PE can receive a block by its place: another PE of this node in the same memory
/// domain.
bool shares_blocks_with(int pe);

/// Returns a block of this PE's memory with one holder, aligned to a cache line; null if there is none left,
/// or if a block of this size is not worth it.
std::byte* allocate_shared(std::size_t bytes);
/// Adds a holder to a block of any PE. Precondition: it is held.
void hold_shared(const std::byte* block);
bool has_other_holders(const std::byte* block);
/// Removes a holder. Callable from any thread.
void release_shared(const void* block);

/// Give and take a holder that goes to another process as a place.
std::uint64_t hand_over_shared(const std::byte* block);
std::byte* take_over_shared(std::uint64_t place);

/// Moves all that `blocks` has, or lends, into such memory, and ends the lender. Blocks in such memory stay
/// in place if `may_keep` and there is no other holder. Returns false if not all have found room.
bool move_to_shared(pup::Blocks& blocks, bool may_keep);

/// Return, and give back to the operating system, the free memory that is kept.
std::size_t spare_shared_bytes();
void give_back_shared_blocks();

struct BlockMemory {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::size_t part_bytes = 0;                ///< of one PE
  int file = -1;                             ///< of the memory
  std::atomic<std::size_t> holders_here{0};  ///< in this process
};
extern BlockMemory block_memory;
inline bool is_shared(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory) - block_memory.begin < block_memory.bytes;
}

}  // namespace skein::chare

/// Names of the default operator delete of native programs (shared_blocks_delete.cpp).
extern "C" {
void skein_delete(void* memory) noexcept;
void skein_delete_sized(void* memory, std::size_t bytes) noexcept;
}
