// SPDX-License-Identifier: Apache-2.0
// What a PE waits for that is no message: something in memory that other PEs write.
//
// For the PE's one thread, with the process's heap in force; nothing switches.
#pragma once

namespace skein::net {

/// Where the caller likes, at a fixed address until it was told.
struct Watched {
  bool (*has_happened)(Watched&) = nullptr;  ///< must not watch anything
  void (*then)(Watched&) = nullptr;          ///< called once, from a poll; it is watched no more
  Watched* next = nullptr;                   ///< for watch() and its relatives
};

/// From the next poll() on (transport.hpp).
void watch(Watched& what);
/// Tells of what has happened. Returns whether anything had.
bool poll_watched();
/// Whether something has that was not told yet.
bool any_watched_happened();

}  // namespace skein::net
