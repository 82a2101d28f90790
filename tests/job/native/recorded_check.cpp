// SPDX-License-Identifier: Apache-2.0
// recorded_check FILE [KIND=COUNT...]: checks that the trace of a native program is consistent: executions do
// not overlap, each has a cause that exists, nothing is missing at the end; and that it has so many events of
// these kinds, or executions of these methods, or LB steps ("step") and moves ("move").
#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "skein/lb/trace.hpp"

using namespace skein::trace;

namespace {

int failures = 0;

void expect(bool holds, ObjectIndex object, std::uint64_t event, const char* what) {
  if (holds) return;
  if (++failures <= 10)
    printf("object %u, event %llu: %s\n", object, static_cast<unsigned long long>(event), what);
}

const std::map<EventKind, const char*> kinds{{EventKind::sync, "sync"},
                                             {EventKind::end, "end"},
                                             {EventKind::execute, "execute"},
                                             {EventKind::call, "call"},
                                             {EventKind::create, "create"},
                                             {EventKind::broadcast, "broadcast"},
                                             {EventKind::contribute, "contribute"},
                                             {EventKind::split, "split"},
                                             {EventKind::finish, "finish"}};

bool is_message(EventKind kind) {
  return kind == EventKind::call || kind == EventKind::broadcast || kind == EventKind::create;
}

struct Seen {
  std::map<std::string, long> counts;
  std::map<ObjectIndex, std::uint64_t> messages;
  std::set<std::pair<std::uint32_t, std::uint64_t>> reductions;
};

Seen look(const Trace& trace) {
  Seen seen;
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
    // PEs number their objects in steps of the number of PEs, so some numbers stay unused.
    if (trace.header().labels[object].empty() && trace.event_count(object) == 0) continue;
    Cursor cursor = trace.events(object);
    bool executes = false, ended = false;
    std::uint64_t n = 0;
    for (const Event* event; (event = cursor.next()); ++n) {
      expect(!ended, object, n, "something after its end");
      const auto kind = kinds.find(event->kind);
      if (kind == kinds.end()) {
        expect(false, object, n, "an event of an MPI program");
        continue;
      }
      ++seen.counts[kind->second];
      if (is_message(event->kind)) ++seen.messages[object];
      switch (event->kind) {
        case EventKind::execute:
          expect(!executes, object, n, "begins before the last has finished");
          executes = true;
          ++seen.counts[trace.names()[static_cast<std::size_t>(event->tag)]];
          break;
        case EventKind::finish:
          expect(executes, object, n, "finishes what has not begun");
          executes = false;
          break;
        case EventKind::end:
          expect(!executes, object, n, "ends in the middle of an execution");
          ended = true;
          break;
        case EventKind::contribute:
          seen.reductions.emplace(event->communicator, event->serial);
          [[fallthrough]];
        case EventKind::call:
        case EventKind::broadcast:
        case EventKind::create:
          expect(executes, object, n, "does something while it does not execute");
          break;
        default:
          break;
      }
    }
    expect(ended, object, n, "does not end");
  }
  return seen;
}

void check_causes(const Trace& trace, const Seen& seen) {
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
    Cursor cursor = trace.events(object);
    std::uint64_t n = 0;
    for (const Event* event; (event = cursor.next()); ++n) {
      if (event->kind != EventKind::execute) continue;
      if (event->what == static_cast<int>(Cause::message)) {
        const auto sender = seen.messages.find(static_cast<ObjectIndex>(event->partner));
        expect(sender != seen.messages.end() && event->serial < sender->second, object, n,
               "because of a message that nobody sent");
      } else if (event->what == static_cast<int>(Cause::reduction)) {
        expect(seen.reductions.contains({event->communicator, event->serial}), object, n,
               "because of a reduction that nobody contributed to");
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Trace trace = read_trace(argv[1]);
  if (!trace.complete()) ++failures, printf("the trace is not complete\n");
  Seen seen = look(trace);
  check_causes(trace, seen);
  for (const RecordedStep& step : trace.steps()) {
    ++seen.counts["step"];
    seen.counts["move"] += static_cast<long>(step.moves.size());
  }
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t sign = word.rfind('=');
    const long found = seen.counts[word.substr(0, sign)], wanted = std::stol(word.substr(sign + 1));
    if (found == wanted) continue;
    ++failures;
    printf("%s: %ld instead of %ld\n", word.substr(0, sign).c_str(), found, wanted);
  }
  return failures == 0 ? 0 : 1;
}
