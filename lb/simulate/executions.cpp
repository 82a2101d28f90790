// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/executions.hpp"

#include <algorithm>
#include <map>

#include "lb/trace/kinds.hpp"

namespace skein::simulate {

using trace::Event;
using trace::EventKind;

const Event* Execution::begin() const {
  const auto found = std::ranges::find(events, EventKind::execute, &Event::kind);
  return found == events.end() ? nullptr : &*found;
}

bool Execution::is(trace::Cause cause) const {
  const Event* const execute = begin();
  return execute && static_cast<trace::Cause>(execute->what) == cause;
}

bool Execution::syncs() const {
  return std::ranges::find(events, EventKind::sync, &Event::kind) != events.end();
}

bool Executions::next(Execution& into) {
  into.events.clear();
  into.first_message = messages_;
  bool begun = false, inside = false;
  for (;; has_ahead_ = false) {
    if (!has_ahead_) {
      const Event* const event = cursor_.next();
      if (!event) break;
      ahead_ = *event;
      ahead_.list = {};
      ahead_.counters = {};
      has_ahead_ = true;
      ++events_;
    }
    const EventKind kind = ahead_.kind;
    const bool begins = kind == EventKind::execute || (kind == EventKind::split && !inside);
    if (begins && (begun || (kind == EventKind::split && !into.events.empty() &&
                             into.events.back().kind != EventKind::split)))
      break;
    if (kind == EventKind::end) continue;
    begun |= kind == EventKind::execute;
    inside = kind == EventKind::execute || (inside && kind != EventKind::finish);
    messages_ += trace::causes_executions(kind);
    if (into.events.empty()) into.first_event = events_ - 1;
    into.events.push_back(ahead_);
  }
  return !into.events.empty();
}

std::vector<bool> made_beside_makers(const trace::Trace& trace) {
  const trace::Header& header = trace.header();
  std::vector<bool> beside(trace.object_count(), false);
  if (header.pes < 2 || header.placement.size() != beside.size() || !trace.steps().empty()) return beside;
  // The entry method that sends a creating message, by the message's sender and number.
  std::map<std::pair<trace::ObjectIndex, std::uint64_t>, std::int32_t> making;
  for (trace::ObjectIndex object = 0; object < trace.object_count(); ++object) {
    if (!header.can_move(object)) continue;
    std::int32_t method = trace::kAny;
    std::uint64_t messages = 0;
    trace::Cursor events = trace.events(object);
    while (const Event* const event = events.next()) {
      if (event->kind == EventKind::execute) method = event->tag;
      if (event->kind == EventKind::create) making[{object, messages}] = method;
      messages += trace::causes_executions(event->kind);
    }
  }
  std::map<std::int32_t, bool> all_beside;  // by entry method: creates elements only beside their makers
  std::vector<std::int32_t> made_by(beside.size(), trace::kAny);
  for (trace::ObjectIndex object = 0; object < trace.object_count(); ++object) {
    trace::Cursor events = trace.events(object);
    const Event* first = events.next();
    while (first && first->kind != EventKind::execute) first = events.next();
    if (!first || static_cast<trace::Cause>(first->what) != trace::Cause::message) continue;
    const auto maker = static_cast<trace::ObjectIndex>(first->partner);
    const auto made = making.find({maker, first->serial});
    if (made == making.end()) continue;
    made_by[object] = made->second;
    bool& all = all_beside.try_emplace(made->second, true).first->second;
    all = all && header.placement[object] == header.placement[maker];
  }
  for (trace::ObjectIndex object = 0; object < beside.size(); ++object)
    beside[object] = made_by[object] != trace::kAny && all_beside[made_by[object]];
  return beside;
}

CauseNumbers::CauseNumbers(const trace::Trace& trace) {
  for (trace::ObjectIndex object = 0; object < trace.object_count(); ++object) {
    trace::Cursor events = trace.events(object);
    while (const Event* const event = events.next()) {
      if (event->kind == EventKind::contribute) add(reductions_, event->communicator, event->serial);
      if (event->kind != EventKind::execute) continue;
      const auto why = static_cast<trace::Cause>(event->what);
      if (why == trace::Cause::message)
        add(messages_, static_cast<std::uint32_t>(event->partner), event->serial);
      else if (why == trace::Cause::reduction)
        add(reductions_, event->communicator, event->serial);
    }
  }
}

std::uint32_t CauseNumbers::of(const Event& execute) const {
  switch (static_cast<trace::Cause>(execute.what)) {
    case trace::Cause::message:
      return of_message(static_cast<trace::ObjectIndex>(execute.partner), execute.serial);
    case trace::Cause::reduction:
      return of_reduction(execute.communicator, execute.serial);
    default:
      return kNone;
  }
}

}  // namespace skein::simulate
