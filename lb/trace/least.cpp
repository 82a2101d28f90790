// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "skein/lb/trace_beginning.hpp"

namespace skein::trace {
namespace {

struct Stretch {
  std::vector<Event> events;
  std::vector<std::vector<std::uint64_t>> lists;  // by event: what its span showed
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

/// But for times, and for the memory in use, which may differ a little.
bool same(const Event& a, const Event& b) {
  return a.kind == b.kind && a.what == b.what && a.starts_request == b.starts_request &&
         a.communicator == b.communicator && a.partner == b.partner && a.tag == b.tag &&
         (a.bytes == b.bytes || a.kind == EventKind::sync);
}

/// Where they part, counted from the beginning of the stretch.
std::size_t same_events(const Stretch& a, const Stretch& b) {
  std::size_t k = 0;
  while (k < std::min(a.events.size(), b.events.size()) && same(a.events[k], b.events[k]) &&
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
  // What is taken of the least disturbed ones need be no more disturbed than any.
  for (const Trace& one : recordings)
    if (one.header().disturbance.others_ns < header.disturbance.others_ns)
      header.disturbance = one.header().disturbance;
  TraceBuilder builder = builder_like(first, std::move(header));
  for (ObjectIndex object = 0; object < first.object_count(); ++object) join(object, recordings, builder);
  return std::move(builder).finish();
}

}  // namespace skein::trace
