// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/cancelled.hpp"

#include <algorithm>

#include "lb/trace/cancel.hpp"
#include "lb/trace/data.hpp"

namespace skein::simulate {
namespace {

/// Few streams have any, and shapes tell which, so that others are not read.
bool may_have_some(const trace::Stream& stream) {
  return std::ranges::any_of(stream.chunks, [](const trace::Chunk& chunk) {
    return std::ranges::any_of(chunk.shapes, [](const trace::Shape& shape) {
      return shape.kind == trace::EventKind::matched && shape.partner == trace::any;
    });
  });
}

std::unordered_set<std::uint32_t> cancelled_of(trace::Cursor events) {
  std::unordered_set<std::uint32_t> requests;
  std::uint32_t started = 0;
  while (const trace::Event* const event = events.next()) {
    started += event->starts_request;
    if (!trace::is_cancel(*event)) continue;
    for (const std::uint64_t after : event->list)
      requests.insert(started - 1 - static_cast<std::uint32_t>(after));
  }
  return requests;
}

}  // namespace

Cancelled::Cancelled(const trace::Trace& trace) {
  for (trace::ObjectIndex object = 0; object < trace.object_count(); ++object) {
    if (!may_have_some(trace.data().streams[object])) continue;
    requests_.resize(trace.object_count());
    requests_[object] = cancelled_of(trace.events(object));
    note_sends(object, trace.events(object));
  }
}

void Cancelled::note_sends(trace::ObjectIndex object, trace::Cursor events) {
  std::uint32_t started = 0;
  while (const trace::Event* const event = events.next()) {
    if (!event->starts_request) continue;
    if (event->kind == trace::EventKind::send && has(object, started))
      sends_.insert(
          {object, static_cast<trace::ObjectIndex>(event->partner), event->communicator, event->tag});
    ++started;
  }
}

}  // namespace skein::simulate
