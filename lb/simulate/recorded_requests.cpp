// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/recorded_requests.hpp"

#include <algorithm>

#include "lb/trace/data.hpp"
#include "lb/trace/kinds.hpp"

namespace skein::simulate {
namespace {

/// Returns true if the stream's shapes contain a cancellation. Few streams do, and only these are read.
bool may_have_some(const trace::Stream& stream) {
  return std::ranges::any_of(stream.chunks, [](const trace::Chunk& chunk) {
    return std::ranges::any_of(chunk.shapes, [](const trace::Shape& shape) {
      return shape.kind == trace::EventKind::matched && shape.partner == trace::kAny;
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
    record_sends(object, trace.events(object));
  }
}

void Cancelled::record_sends(trace::ObjectIndex object, trace::Cursor events) {
  std::uint32_t started = 0;
  while (const trace::Event* const event = events.next()) {
    if (!event->starts_request) continue;
    if (event->kind == trace::EventKind::send && has(object, started))
      sends_.insert(
          {object, static_cast<trace::ObjectIndex>(event->partner), event->communicator, event->tag});
    ++started;
  }
}

std::optional<Wildcards::Source> Wildcards::source_of(std::uint32_t request) {
  for (;;) {
    if (const auto found = found_.find(request); found != found_.end()) {
      const Source source = found->second;
      found_.erase(found);
      return source;
    }
    const trace::Event* const event = at_end_ ? nullptr : ahead_.next();
    if (!event) {
      at_end_ = true;
      return std::nullopt;
    }
    if (event->starts_request) ++started_;
    if (event->kind != trace::EventKind::matched || event->list.empty() || trace::is_cancel(*event)) continue;
    const auto which = started_ - 1 - static_cast<std::uint32_t>(event->list[0]);
    found_.emplace(which, Source{event->partner, event->tag});
  }
}

}  // namespace skein::simulate
