// SPDX-License-Identifier: Apache-2.0
// `autojudge_least OUT RUN...`: makes one trace from those of several runs of a program that does the same
// each time, with the shortest of each burst: other programs on the machine only make bursts longer.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "skein/lb/trace.hpp"

namespace {

using namespace skein::trace;

void copy_least(TraceBuilder& builder, ObjectIndex object, const std::vector<Trace>& runs) {
  std::vector<Cursor> cursors;
  for (const Trace& run : runs) cursors.push_back(run.events(object));
  for (std::uint64_t number = 0;; ++number) {
    std::vector<const Event*> same;
    for (Cursor& cursor : cursors) same.push_back(cursor.next());
    if (!same[0]) return;
    Event event = *same[0];
    for (const Event* other : same) {
      if (!other || other->kind != event.kind)
        throw std::runtime_error("the runs differ at event " + std::to_string(number) + " of object " +
                                 std::to_string(object));
      event.burst_ns = std::min(event.burst_ns, other->burst_ns);
    }
    builder.add(object, event);
  }
}

void merge(const std::string& out, const std::vector<Trace>& runs) {
  const Trace& first = runs.at(0);
  TraceBuilder builder(first.header(), first.object_count());
  for (const std::string& name : first.names()) builder.name(name);
  for (const Communicator& communicator : first.communicators())
    if (communicator.id != 0) builder.add(communicator);
  for (ObjectIndex object = 0; object < first.object_count(); ++object) copy_least(builder, object, runs);
  write_trace(std::move(builder).finish(), out);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<Trace> runs;
    for (int i = 2; i < argc; ++i) runs.push_back(read_trace(argv[i]));
    merge(argv[1], runs);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "autojudge_least: %s\n", error.what());
    return 2;
  }
}
