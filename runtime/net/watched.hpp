// SPDX-License-Identifier: Apache-2.0
// Events that a PE waits for that are no messages: changes in memory that other PEs write.
//
// For the PE's one thread, with the process's heap in force; nothing switches.
#pragma once

namespace skein::net {

/// An event, in the caller's memory, whose address is fixed until `then` was called.
struct Watched {
  bool (*has_happened)(Watched&) = nullptr;  ///< must not watch anything
  void (*then)(Watched&) = nullptr;          ///< called once, from a poll; the event is watched no more
  Watched* next = nullptr;                   ///< for watch(), poll_watched() and any_watched_happened()
};

/// Watches the event from the next poll() on (transport.hpp).
void watch(Watched& what);
/// Calls `then` of the events that have happened. Returns true if there was any.
bool poll_watched();
/// Returns true if an event has happened whose `then` was not called yet.
bool any_watched_happened();

}  // namespace skein::net
