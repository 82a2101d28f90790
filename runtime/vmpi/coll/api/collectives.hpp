// SPDX-License-Identifier: Apache-2.0
// Collectives on bytes, for the library's own use (to create communicators, for example). Called from a
// rank's fiber, by all members in the same order. May switch, may move.
#pragma once

#include <cstddef>

#include "runtime/vmpi/comm/comm.hpp"

namespace skein::vmpi {

/// Returns the tag of the next collective on this communicator: all members get the same, and several
/// collectives may be under way.
inline int next_collective_tag(Comm& comm) { return static_cast<int>(comm.collectives++ & 0x3fffffff); }
/// Returns the tag of a persistent collective, for all its starts. Members make persistent collectives in one
/// order and start them in any (MPI 4.1, 6.13), so the tag is drawn when the request is made, and differs
/// from all tags of other collectives however long the request lives.
inline int next_persistent_tag(Comm& comm) {
  return static_cast<int>(0x40000000 | (comm.persistent_collectives++ & 0x3fffffff));
}
/// Returns the number, from 1, of the persistent collective that a tag belongs to; 0 if it belongs to none.
inline int number_of_persistent(int tag) { return tag & 0x40000000 ? (tag & 0x3fffffff) + 1 : 0; }

/// Ends MPI_Finalize: returns when all ranks have called it.
void wait_for_finalize(Comm& world);
/// The deadlock report's text for calls that make communicators.
inline constexpr char kInCreation[] =
    "in the creation of a communicator, for rank %d of the one that it comes from";
/// Gathers `bytes` bytes of each member, in the order of ranks, on each member.
void allgather_bytes(Comm& comm, const void* mine, void* all, std::size_t bytes);

}  // namespace skein::vmpi
