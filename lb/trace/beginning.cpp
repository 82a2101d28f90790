// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/trace_beginning.hpp"

namespace skein::trace {
namespace {

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

TraceBuilder builder_like(const Trace& trace) {
  TraceBuilder builder(trace.header(), trace.object_count());
  for (const std::string& name : trace.names()) builder.name(name);
  for (const Communicator& communicator : trace.communicators())
    if (communicator.id != 0) builder.add(communicator);
  return builder;
}

Trace beginning(const Trace& trace, std::uint64_t points) {
  if (trace.header().native)
    throw TraceError("a native program's run has no beginning that could be cut out; take the whole");
  TraceBuilder builder = builder_like(trace);
  for (ObjectIndex object = 0; object < trace.object_count(); ++object)
    copy_until(trace, object, points, builder);
  return std::move(builder).finish();
}

}  // namespace skein::trace
