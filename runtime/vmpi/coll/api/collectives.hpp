// SPDX-License-Identifier: Apache-2.0
// Collectives on bytes, for the library's own use (creating communicators and the like). From a rank's fiber;
// all members call them in the same order. May switch, may move.
#pragma once

#include <cstddef>

#include "runtime/vmpi/comm/comm.hpp"

namespace skein::vmpi {

/// The tag of the next collective on this communicator: all members draw the same, and several collectives
/// may be under way.
inline int next_collective_tag(Comm& comm) { return static_cast<int>(comm.collectives++ & 0x3fffffff); }
/// The tag of a persistent collective, for all its starts. Its members make persistent collectives in one
/// order and start them in any (MPI 4.1, 6.13), so it is drawn when the request is made, and differs from all
/// tags of the other collectives however long the request lives.
inline int next_persistent_tag(Comm& comm) {
  return static_cast<int>(0x40000000 | (comm.persistent_collectives++ & 0x3fffffff));
}
/// Which of the communicator's persistent collectives a tag is of, counted from 1; 0: of none.
inline int number_of_persistent(int tag) { return tag & 0x40000000 ? (tag & 0x3fffffff) + 1 : 0; }

/// The end of MPI_Finalize: returns when all ranks have come there.
void wait_for_finalize(Comm& world);
/// What the deadlock report says of calls that make communicators.
inline constexpr char kInCreation[] =
    "in the creation of a communicator, for rank %d of the one that it comes from";
/// `bytes` from every member, in order of rank, on every member.
void allgather_bytes(Comm& comm, const void* mine, void* all, std::size_t bytes);

}  // namespace skein::vmpi
