// SPDX-License-Identifier: Apache-2.0
// Accesses that all members of a file make together. If their data is in small pieces, these become large
// accesses of a few members, one on each PE (two-phase I/O: R. Thakur, W. Gropp, E. Lusk, "Data sieving and
// collective I/O in ROMIO", Frontiers '99): each of these collectors has a domain of the file, goes through
// it window by window, and exchanges each window's bytes with the members that access them. Only bytes of
// some member are written, so the file keeps the bytes between them.
//
// The places of members do not matter, each may have any view, and ranks may move during a nonblocking
// access.
#pragma once

#include "runtime/vmpi/io/access.hpp"

namespace skein::vmpi {

/// The values in force of the hints that collective accesses use (MPI 4.1, 14.2.8).
struct CollectiveHints {
  std::int64_t window_bytes = 0;  ///< cb_buffer_size
  int most_collectors = 0;        ///< cb_nodes; 0: one on each PE
  enum class Use : std::uint8_t { automatic, always, never };
  Use for_reading = Use::automatic, for_writing = Use::automatic;  ///< romio_cb_read, romio_cb_write
};
CollectiveHints collective_hints(const File& file);

/// Accesses the file on a fiber of each member, with the tag of a collective on the file's communicator. May
/// switch, may move. An error of a collector is an error of all members whose bytes it has.
Outcome access_together(File& file, int tag, const Access& access);

/// Replaces values by the largest over all members; at most kMostValues.
inline constexpr int kMostValues = 10;
void max_over_members(Comm& comm, int tag, std::int64_t* values, int count);
/// Gathers one value of each member.
void gather_from_members(Comm& comm, int tag, std::int64_t mine, std::int64_t* all);
/// Sends data from the first member to all.
void tell_members(Comm& comm, int tag, void* data, std::size_t bytes);

}  // namespace skein::vmpi
