// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/executions.hpp"

#include <algorithm>

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
