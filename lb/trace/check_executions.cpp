// SPDX-License-Identifier: Apache-2.0
// Checks entry methods: each begins and ends, and its cause has happened.
#include <map>
#include <string>
#include <vector>

#include "lb/trace/check.hpp"
#include "lb/trace/kinds.hpp"

namespace skein::trace {
namespace {

struct Causes {
  std::vector<std::uint64_t> messages;                                          // by object
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> reductions;  // contributions
};

Causes causes_of(const Trace& trace) {
  Causes causes{std::vector<std::uint64_t>(trace.object_count()), {}};
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
    Cursor cursor = trace.events(object);
    while (const Event* const event = cursor.next()) {
      causes.messages[object] += causes_executions(event->kind);
      if (event->kind == EventKind::contribute) ++causes.reductions[{event->communicator, event->serial}];
    }
  }
  return causes;
}

void check_cause(const Event& event, ObjectIndex object, std::uint64_t number, const Causes& causes,
                 Findings& findings) {
  const Cause cause = static_cast<Cause>(event.what);
  if (cause == Cause::message) {
    if (event.partner == kAny)
      findings.error(object, number, "an entry method is run by a message of nobody; record the run anew");
    else if (const std::uint64_t sent = causes.messages[static_cast<ObjectIndex>(event.partner)];
             event.serial >= sent)
      findings.error(object, number,
                     "an entry method is run by message " + std::to_string(event.serial) + " of object " +
                         std::to_string(event.partner) + ", which sends " + std::to_string(sent) +
                         "; is its stream cut short?");
  } else if (cause == Cause::reduction && !causes.reductions.contains({event.communicator, event.serial})) {
    findings.error(object, number,
                   "an entry method is run by reduction " + std::to_string(event.serial) + " of array " +
                       std::to_string(event.communicator) +
                       ", to which nobody contributes; record the run anew");
  }
}

}  // namespace

void check_executions(const Trace& trace, Findings findings) {
  if (!trace.header().native) return;
  const Causes causes = causes_of(trace);
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
    Cursor cursor = trace.events(object);
    bool inside = false;
    std::uint64_t number = 0;
    for (; const Event* const event = cursor.next(); ++number) {
      const bool begins = event->kind == EventKind::execute, ends = event->kind == EventKind::finish;
      if (begins ? inside : ends && !inside)
        findings.error(object, number,
                       begins ? "an entry method begins inside another; record the run anew"
                              : "an entry method ends that did not begin; record the run anew");
      if (begins) check_cause(*event, object, number, causes, findings);
      inside = begins || (inside && !ends);
    }
    if (inside && trace.complete())
      findings.note(object, number, "the last entry method does not end; did the job end inside it?");
  }
}

}  // namespace skein::trace
