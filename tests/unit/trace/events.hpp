// SPDX-License-Identifier: Apache-2.0
// Events for tests, and programs made of them.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "skein/lb/trace.hpp"

namespace skein::trace::test {

inline Event message(EventKind kind, std::int32_t partner, std::uint64_t bytes, std::int32_t tag = 0,
                     bool starts = false) {
  Event event;
  event.kind = kind;
  event.partner = partner;
  event.tag = tag;
  event.bytes = bytes;
  event.starts_request = starts;
  return event;
}
inline Event send(std::int32_t to, std::uint64_t bytes, std::int32_t tag = 0) {
  return message(EventKind::send, to, bytes, tag);
}
inline Event isend(std::int32_t to, std::uint64_t bytes, std::int32_t tag = 0) {
  return message(EventKind::send, to, bytes, tag, true);
}
inline Event receive(std::int32_t from, std::uint64_t bytes, std::int32_t tag = 0) {
  return message(EventKind::receive, from, bytes, tag);
}
inline Event ireceive(std::int32_t from, std::uint64_t bytes, std::int32_t tag = 0) {
  return message(EventKind::receive, from, bytes, tag, true);
}

inline constexpr std::uint64_t kBack[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

// Returns the match of the request that was started `back` before the last one.
inline Event matched(std::uint64_t back, std::int32_t from, std::uint64_t bytes, std::int32_t tag = 0) {
  Event event = message(EventKind::matched, from, bytes, tag);
  event.list = std::span(kBack).subspan(back, 1);
  return event;
}
// Returns a wait for the last `count` requests.
inline Event wait_for(std::size_t count, std::uint64_t call_ns = 0) {
  Event event;
  event.kind = EventKind::wait;
  event.list = std::span(kBack).first(count);
  event.call_ns = call_ns;
  return event;
}
inline Event collective(Collective kind, std::uint64_t bytes = 0, std::int32_t root = kAny,
                        std::uint32_t communicator = 0) {
  Event event = message(EventKind::collective, root, bytes);
  event.what = static_cast<std::uint8_t>(kind);
  event.communicator = communicator;
  return event;
}
inline Event sync_point(std::uint64_t bytes = 0) { return message(EventKind::sync, kAny, bytes); }
inline Event end_of_object(std::uint64_t burst_ns = 0) {
  Event event;
  event.burst_ns = burst_ns;
  return event;
}
inline Event after(std::uint64_t burst_ns, Event event) {
  event.burst_ns = burst_ns;
  return event;
}

using Streams = std::vector<std::vector<Event>>;

inline Trace trace_of(const Streams& streams, const std::vector<Communicator>& communicators = {},
                      Header header = {}, const std::vector<std::string>& names = {}) {
  TraceBuilder builder(std::move(header), streams.size());
  for (const std::string& name : names) builder.name(name);
  for (const Communicator& one : communicators) builder.add(one);
  for (ObjectIndex object = 0; object < streams.size(); ++object)
    for (const Event& event : streams[object]) builder.add(object, event);
  return std::move(builder).finish();
}

}  // namespace skein::trace::test
