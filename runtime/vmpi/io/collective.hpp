// SPDX-License-Identifier: Apache-2.0
// Accesses that all members of a file make together. Where what they access is in small pieces, these become
// large accesses of a few members, one on each PE (two-phase I/O: R. Thakur, W. Gropp, E. Lusk, "Data sieving
// and collective I/O in ROMIO", Frontiers '99): each of them has a domain of the file, goes through it window
// by window, and exchanges each window's bytes with whoever accesses them. Only bytes that somebody writes
// are written, so nothing between them is touched.
//
// Where a member is does not matter to the others, who may hold any view; ranks may move during a nonblocking
// one.
#pragma once

#include "runtime/vmpi/io/access.hpp"

namespace skein::vmpi {

/// Hints that this knows, as in force (MPI 4.1, 14.2.8).
struct CollectiveHints {
  std::int64_t window_bytes = 0;  ///< cb_buffer_size
  int most_collectors = 0;        ///< cb_nodes; 0: one on each PE
  enum class Use : std::uint8_t { automatic, always, never };
  Use for_reading = Use::automatic, for_writing = Use::automatic;  ///< romio_cb_read, romio_cb_write
};
CollectiveHints collective_hints(const File& file);

/// On a fiber of each member, with the tag of a collective on the file's communicator. May switch, may move.
/// An error of one that collects is an error of all whose bytes it has.
Outcome access_together(File& file, int tag, const Access& access);

/// Largest values over all members, in place; at most kMostValues.
inline constexpr int kMostValues = 10;
void max_over_members(Comm& comm, int tag, std::int64_t* values, int count);
/// The values of all, by member.
void gather_from_members(Comm& comm, int tag, std::int64_t mine, std::int64_t* all);
/// From the first member to all.
void tell_members(Comm& comm, int tag, void* data, std::size_t bytes);

}  // namespace skein::vmpi
