// SPDX-License-Identifier: Apache-2.0
// Shared by the recordings of messages, of waits for them and of other calls: how events are made, and the
// keys by which repeated events are recognised. For this folder alone.
#pragma once

#include <cstdint>

#include "runtime/vmpi/record/record.hpp"

namespace skein::vmpi {

using trace::Event;
using trace::EventKey;
using trace::EventKind;

inline std::uint8_t recorded_mode(SendMode mode) {
  constexpr trace::SendMode modes[] = {trace::SendMode::standard, trace::SendMode::buffered,
                                       trace::SendMode::synchronous, trace::SendMode::ready};
  return static_cast<std::uint8_t>(modes[static_cast<std::size_t>(mode)]);
}

/// Returns a key. Events of one key are equal except for their bytes and times, whatever the communicator's
/// id in the trace.
inline EventKey key_of(EventKind kind, std::uint32_t variant, std::uint64_t first, std::uint64_t second) {
  return {static_cast<std::uint32_t>(kind) | variant << 8 | 1u << 31, first, second};
}
/// Returns the key of a message's event. Peers are less than 2^31. The odd shift keeps compilers from reading
/// two members of a request, which were just written one by one, as one word, for which processors wait.
inline EventKey key_of(const Request& message, bool starts, int peer, int tag) {
  const bool sends = message.kind == RequestKind::send;
  return key_of(sends ? EventKind::send : EventKind::receive,
                (sends ? static_cast<std::uint32_t>(message.mode) << 1 : 0) | starts,
                static_cast<std::uint64_t>(message.comm->id),
                std::uint64_t{static_cast<std::uint32_t>(peer)} << 33 |
                    std::uint64_t{static_cast<std::uint32_t>(tag)} << 1);
}

inline Event event_of(EventKind kind, Comm& comm, int peer, int tag, std::uint64_t bytes) {
  Event event;
  event.kind = kind;
  event.communicator = recorded_id(comm);
  event.partner = peer >= 0 ? comm.world_rank(peer) : trace::kAny;
  event.tag = tag >= 0 ? tag : trace::kAny;
  event.bytes = bytes;
  return event;
}

inline Event event_of_send(const Request& send) {
  Event event = event_of(EventKind::send, *send.comm, send.sent.to, send.pattern.tag, send.data.bytes);
  event.what = recorded_mode(send.mode);
  return event;
}

inline bool is_wildcard(const Pattern& pattern) {
  return pattern.source == MPI_ANY_SOURCE || pattern.tag == MPI_ANY_TAG;
}

/// `after`: number of requests that were started after the receive.
inline Event event_of_match(const Request& receive, const std::uint64_t& after) {
  Event event = event_of(EventKind::matched, *receive.comm, receive.received.source, receive.received.tag,
                         receive.received.bytes);
  event.list = {&after, 1};
  return event;
}

}  // namespace skein::vmpi
