// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/trace_beginning.hpp"

#include <algorithm>

namespace skein::trace {
namespace {

std::uint64_t sync_points_of(const Trace& trace, ObjectIndex object) {
  std::uint64_t points = 0;
  Cursor cursor = trace.events(object);
  while (const Event* event = cursor.next()) points += event->kind == EventKind::sync;
  return points;
}

void copy_until(const Trace& trace, ObjectIndex object, std::uint64_t points, TraceBuilder& builder) {
  Cursor cursor = trace.events(object);
  while (const Event* event = cursor.next()) {
    if (event->kind == EventKind::sync && --points == 0) {
      Event end;
      end.burst_ns = event->burst_ns;
      end.counters = event->counters;
      builder.add(object, end);
      return;
    }
    builder.add(object, *event);
  }
}

}  // namespace

std::uint64_t sync_points(const Trace& trace) {
  if (trace.object_count() == 0) return 0;
  std::uint64_t least = UINT64_MAX;
  for (ObjectIndex object = 0; object < trace.object_count() && least > 0; ++object)
    least = std::min(least, sync_points_of(trace, object));
  return least;
}

Trace beginning(const Trace& trace, std::uint64_t points) {
  TraceBuilder builder(trace.header(), trace.object_count());
  for (const std::string& name : trace.names()) builder.name(name);
  for (const Communicator& communicator : trace.communicators())
    if (communicator.id != 0) builder.add(communicator);
  for (ObjectIndex object = 0; object < trace.object_count(); ++object)
    copy_until(trace, object, points, builder);
  return std::move(builder).finish();
}

}  // namespace skein::trace
