// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lb/trace/kinds.hpp"
#include "skein/lb/trace_beginning.hpp"

namespace skein::trace {
namespace {

/// What an object makes, and how many sync points it has passed itself by then.
struct Making {
  ObjectIndex made;
  std::uint64_t passed;
};

/// A message that makes objects, by its number among its sender's.
struct MakingMessage {
  std::uint64_t number;
  std::uint64_t passed;
};

/// What objects do about sync points, by object.
struct Lives {
  std::vector<std::uint64_t> passes;
  std::vector<std::vector<Making>> makings;
  std::vector<bool> is_made;

  void note(ObjectIndex maker, ObjectIndex made, std::uint64_t passed) {
    if (is_made[made]) return;
    is_made[made] = true;
    makings[maker].push_back({made, passed});
  }
};

/// Who makes an object need not know it: the object's first execution names the message.
Lives lives_of(const Trace& trace) {
  const std::size_t objects = trace.object_count();
  Lives lives{std::vector<std::uint64_t>(objects), std::vector<std::vector<Making>>(objects),
              std::vector<bool>(objects)};
  std::vector<std::vector<MakingMessage>> messages(objects);
  for (ObjectIndex object = 0; object < objects; ++object) {
    std::uint64_t sent = 0;
    Cursor cursor = trace.events(object);
    while (const Event* event = cursor.next()) {
      lives.passes[object] += event->kind == EventKind::sync;
      if (event->kind == EventKind::create) messages[object].push_back({sent, lives.passes[object]});
      if (event->kind == EventKind::split)
        lives.note(object, static_cast<ObjectIndex>(event->partner), lives.passes[object]);
      sent += causes_executions(event->kind);
    }
  }
  for (ObjectIndex object = 0; object < objects; ++object) {
    Cursor cursor = trace.events(object);
    const Event* const first = cursor.next();
    if (!first || first->kind != EventKind::execute || first->partner == any ||
        static_cast<Cause>(first->what) != Cause::message)
      continue;
    const auto maker = static_cast<ObjectIndex>(first->partner);
    const auto message = std::ranges::lower_bound(messages[maker], first->serial, {}, &MakingMessage::number);
    if (message != messages[maker].end() && message->number == first->serial)
      lives.note(maker, object, message->passed);
  }
  return lives;
}

std::vector<std::uint64_t> first_points_of(const Lives& lives) {
  std::vector<std::uint64_t> first(lives.passes.size());
  std::vector<ObjectIndex> makers;
  for (ObjectIndex object = 0; object < first.size(); ++object)
    if (!lives.is_made[object]) makers.push_back(object);
  while (!makers.empty()) {
    const ObjectIndex maker = makers.back();
    makers.pop_back();
    for (const Making& each : lives.makings[maker]) {
      first[each.made] = first[maker] + each.passed;
      makers.push_back(each.made);
    }
  }
  return first;
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

std::vector<std::uint64_t> first_points(const Trace& trace) {
  if (!trace.header().native) return std::vector<std::uint64_t>(trace.object_count());
  return first_points_of(lives_of(trace));
}

std::uint64_t sync_points(const Trace& trace) {
  if (trace.object_count() == 0) return 0;
  const Lives lives = lives_of(trace);
  if (!trace.header().native) return std::ranges::min(lives.passes);
  const std::vector<std::uint64_t> first = first_points_of(lives);
  std::uint64_t most = 0;
  for (ObjectIndex object = 0; object < first.size(); ++object)
    most = std::max(most, first[object] + lives.passes[object]);
  return most;
}

TraceBuilder builder_like(const Trace& trace, Header header) {
  TraceBuilder builder(std::move(header), trace.object_count());
  for (const std::string& name : trace.names()) builder.name(name);
  for (const Communicator& communicator : trace.communicators())
    if (communicator.id != 0) builder.add(communicator);
  return builder;
}

Trace beginning(const Trace& trace, std::uint64_t points) {
  if (trace.header().native)
    throw TraceError("a native program's run has no beginning that could be cut out; take the whole");
  TraceBuilder builder = builder_like(trace, trace.header());
  for (ObjectIndex object = 0; object < trace.object_count(); ++object)
    copy_until(trace, object, points, builder);
  return std::move(builder).finish();
}

}  // namespace skein::trace
