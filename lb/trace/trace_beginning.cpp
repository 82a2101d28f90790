// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/trace_beginning.hpp"

#include <algorithm>
#include <string>

#include "lb/trace/kinds.hpp"

namespace skein::trace {
namespace {

/// An object that was made, and how many sync points its maker had passed.
struct Making {
  ObjectIndex made;
  std::uint64_t passed;
};

/// A message that makes objects, by its number among its sender's messages.
struct MakingMessage {
  std::uint64_t number;
  std::uint64_t passed;
};

/// The sync points, makings and origin of objects, by object.
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

/// Finds the lives. Makers need not know their objects: an object's first execution names the message.
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
    if (!first || first->kind != EventKind::execute || first->partner == kAny ||
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

struct Stretch {
  std::vector<Event> events;
  std::vector<std::vector<std::uint64_t>> lists;  // by event: the contents of its list
  std::uint64_t work_ns = 0;
};

bool may_wait(const Event& event) {
  if (event.starts_request) return false;
  switch (event.kind) {
    case EventKind::receive:
    case EventKind::wait:
    case EventKind::collective:
    case EventKind::sync:
    case EventKind::probe:
      return true;
    default:
      return false;
  }
}

Stretch next_stretch(Cursor& cursor) {
  Stretch stretch;
  while (const Event* const event = cursor.next()) {
    stretch.events.push_back(*event);
    stretch.lists.emplace_back(event->list.begin(), event->list.end());
    stretch.work_ns += event->burst_ns;
    stretch.events.back().list = {};
    stretch.events.back().counters = {};
    if (may_wait(*event)) break;
  }
  return stretch;
}

/// Returns true if the events are equal but for times, and for the memory in use, which may differ a little.
bool same_event(const Event& a, const Event& b) {
  return a.kind == b.kind && a.what == b.what && a.starts_request == b.starts_request &&
         a.communicator == b.communicator && a.partner == b.partner && a.tag == b.tag &&
         (a.bytes == b.bytes || a.kind == EventKind::sync);
}

/// Returns where the stretches begin to differ, counted from their beginning.
std::size_t same_events(const Stretch& a, const Stretch& b) {
  std::size_t k = 0;
  while (k < std::min(a.events.size(), b.events.size()) && same_event(a.events[k], b.events[k]) &&
         a.lists[k] == b.lists[k])
    ++k;
  return k;
}

void join(ObjectIndex object, std::span<const Trace> recordings, TraceBuilder& builder) {
  std::vector<Cursor> cursors;
  for (const Trace& one : recordings) cursors.push_back(one.events(object));
  for (std::size_t number = 0;;) {
    Stretch least = next_stretch(cursors[0]);
    for (std::size_t k = 1; k < cursors.size(); ++k) {
      Stretch stretch = next_stretch(cursors[k]);
      const std::size_t alike = same_events(least, stretch);
      if (alike < std::max(least.events.size(), stretch.events.size()))
        throw TraceError("object " + std::to_string(object) + ", event " + std::to_string(number + alike) +
                         ": the first recording and number " + std::to_string(k + 1) +
                         " differ; they must be of the same run, which does the same each time");
      if (stretch.work_ns < least.work_ns) least = std::move(stretch);
    }
    if (least.events.empty()) return;
    for (std::size_t k = 0; k < least.events.size(); ++k) {
      least.events[k].list = least.lists[k];
      builder.add(object, least.events[k]);
    }
    number += least.events.size();
  }
}

bool same_communicators(const Trace& a, const Trace& b) {
  return std::ranges::equal(
      a.communicators(), b.communicators(), [](const Communicator& one, const Communicator& other) {
        return one.id == other.id && one.members == other.members && one.others == other.others;
      });
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

Trace least(std::span<const Trace> recordings) {
  if (recordings.empty()) throw TraceError("there is no recording to take the least of");
  const Trace& first = recordings[0];
  for (std::size_t k = 0; k < recordings.size(); ++k) {
    const Trace& one = recordings[k];
    const std::string called = "recording number " + std::to_string(k + 1) + " ";
    if (one.header().native)
      throw TraceError(called + "is of a native program, whose entry methods run in another order each time");
    if (one.object_count() != first.object_count())
      throw TraceError(called + "has " + std::to_string(one.object_count()) + " ranks, and the first " +
                       std::to_string(first.object_count()) + "; they must be of the same run");
    if (!same_communicators(one, first) || !std::ranges::equal(one.names(), first.names()))
      throw TraceError(called +
                       "has other communicators or regions than the first; they must be of the same run");
  }
  Header header = first.header();
  if (!header.options.empty()) header.options += ' ';
  header.options += "(the least of ";
  header.options += std::to_string(recordings.size());
  header.options += " recordings)";
  header.counters.clear();
  // The result of several recordings is no more disturbed than the least disturbed of them.
  for (const Trace& one : recordings)
    if (one.header().disturbance.others_ns < header.disturbance.others_ns)
      header.disturbance = one.header().disturbance;
  TraceBuilder builder = builder_like(first, std::move(header));
  for (ObjectIndex object = 0; object < first.object_count(); ++object) join(object, recordings, builder);
  return std::move(builder).finish();
}

}  // namespace skein::trace
