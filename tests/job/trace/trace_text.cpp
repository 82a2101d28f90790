// SPDX-License-Identifier: Apache-2.0
// trace_text FILE [--times]: prints a trace as lines that tests compare: a section for each object, a line
// for each event. With --times it also prints what differs from run to run, and at the end the LB steps and
// their moves.
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>

#include "skein/lb/trace.hpp"

using namespace skein::trace;

namespace {

const char* const kinds[] = {"send",       "receive", "matched", "wait",  "collective",
                             "probe",      "sync",    "file",    "sleep", "region_begin",
                             "region_end", "end",     "execute", "call",  "broadcast",
                             "contribute", "create",  "split",   "finish"};
const char* const modes[] = {"", " synchronous", " buffered", " ready"};
const char* const collectives[] = {
    "barrier",        "bcast",    "gather",    "gatherv",    "scatter", "scatterv",  "allgather",
    "allgatherv",     "alltoall", "alltoallv", "alltoallw",  "reduce",  "allreduce", "reduce_scatter_block",
    "reduce_scatter", "scan",     "exscan",    "create_comm"};
const char* const file_calls[] = {"read", "write", "other"};

/// Returns the members of a communicator, whose id differs from run to run.
std::string members_text(const Trace& trace, std::uint32_t id) {
  if (id == 0) return "world";
  const Communicator& communicator = trace.communicator(id);
  std::string text(1, '{');
  const auto append = [&](const std::vector<ObjectIndex>& members) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i > 0) text += ',';
      text += std::to_string(members[i]);
    }
  };
  append(communicator.members);
  if (!communicator.others.empty()) {
    text += '|';
    append(communicator.others);
  }
  text += '}';
  return text;
}

std::string number_or_any(std::int32_t n) { return n < 0 ? "any" : std::to_string(n); }

void print_list(std::span<const std::uint64_t> list) {
  printf(" [");
  for (std::size_t i = 0; i < list.size(); ++i) printf("%s%" PRIu64, i ? " " : "", list[i]);
  printf("]");
}

void print(const Trace& trace, const Event& event) {
  const bool later = event.starts_request;
  switch (event.kind) {
    case EventKind::send:
    case EventKind::receive:
    case EventKind::probe:
    case EventKind::matched:
      printf("%s%s%s %s %s tag %s bytes %" PRIu64, later ? "start " : "", kinds[static_cast<int>(event.kind)],
             event.kind == EventKind::send ? modes[event.what] : "", number_or_any(event.partner).c_str(),
             members_text(trace, event.communicator).c_str(), number_or_any(event.tag).c_str(), event.bytes);
      if (!event.list.empty()) print_list(event.list);
      break;
    case EventKind::collective:
      printf("%s%s %s root %s bytes %" PRIu64, later ? "start " : "", collectives[event.what],
             members_text(trace, event.communicator).c_str(), number_or_any(event.partner).c_str(),
             event.bytes);
      if (!event.list.empty()) print_list(event.list);
      break;
    case EventKind::file:
      printf("file %s bytes %" PRIu64, file_calls[event.what], event.bytes);
      break;
    case EventKind::region_begin:
    case EventKind::region_end:
      printf("%s %s", kinds[static_cast<int>(event.kind)], trace.names()[event.list[0]].c_str());
      break;
    case EventKind::wait:
      printf("wait");
      print_list(event.list);
      break;
    default:
      printf("%s", kinds[static_cast<int>(event.kind)]);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const bool times = argc > 2 && !strcmp(argv[2], "--times");
  const bool memory = argc > 2 && !strcmp(argv[2], "--memory");
  const Trace trace = read_trace(argv[1]);
  printf("complete %d\n", trace.complete());
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
    printf("object %u\n", object);
    Cursor events = trace.events(object);
    while (const Event* event = events.next()) {
      print(trace, *event);
      if (memory && event->kind == EventKind::sync) printf(" bytes %" PRIu64, event->bytes);
      if (times) {
        printf(" burst %" PRIu64 " call %" PRIu64, event->burst_ns, event->call_ns);
        for (const std::int64_t counter : event->counters) printf(" %" PRId64, counter);
      }
      printf("\n");
    }
  }
  for (const RecordedStep& step : trace.steps()) {
    if (!times) break;
    printf("step %s", step.strategy.c_str());
    for (const auto& [object, pe] : step.moves) printf(" %u>%u", object, pe);
    printf("\n");
  }
} catch (const TraceError& error) {
  fprintf(stderr, "%s\n", error.what());
  return 1;
}
