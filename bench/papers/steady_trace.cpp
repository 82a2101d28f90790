// SPDX-License-Identifier: Apache-2.0
// steady_trace OUT TRACE [STEPS]: makes the trace of an MPI program without random additions to its bursts. A
// burst becomes the median of the bursts at its place in the steps around it, between sync points, STEPS (5)
// before and behind. Other programs, interrupts and caches that others emptied disturb for a shorter time
// than that; the work of a rank changes more slowly. Only steps with equal numbers of events are combined. A
// step without similar ones near it, as the program's beginning, gets the median of all ranks.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "skein/lb/trace.hpp"

namespace {

using namespace skein::trace;

struct Step {
  std::vector<std::uint64_t> bursts;
};

// Returns the steps of an object, each up to its sync point, the last one up to the end.
std::vector<Step> steps_of(const Trace& trace, ObjectIndex object) {
  std::vector<Step> steps(1);
  Cursor cursor = trace.events(object);
  while (const Event* event = cursor.next()) {
    steps.back().bursts.push_back(event->burst_ns);
    if (event->kind == EventKind::sync) steps.emplace_back();
  }
  return steps;
}

std::uint64_t median(std::vector<std::uint64_t> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

using Steps = std::vector<std::vector<Step>>;  // by object

std::uint64_t median_around(const Steps& of, ObjectIndex object, std::size_t step, std::size_t place,
                            std::size_t reach) {
  const std::vector<Step>& mine = of[object];
  const std::size_t events = mine[step].bursts.size();
  std::vector<std::uint64_t> values;
  const std::size_t end = std::min(mine.size(), step + reach + 1);
  for (std::size_t k = step > reach ? step - reach : 0; k < end; ++k)
    if (mine[k].bursts.size() == events) values.push_back(mine[k].bursts[place]);
  if (values.size() > 1) return median(std::move(values));
  for (const std::vector<Step>& other : of)
    if (&other != &mine && step < other.size() && other[step].bursts.size() == events)
      values.push_back(other[step].bursts[place]);
  return median(std::move(values));
}

Trace steady(const Trace& trace, std::size_t reach) {
  TraceBuilder builder(trace.header(), trace.object_count());
  for (const std::string& name : trace.names()) builder.name(name);
  for (const Communicator& communicator : trace.communicators())
    if (communicator.id != 0) builder.add(communicator);
  Steps steps;
  for (ObjectIndex object = 0; object < trace.object_count(); ++object)
    steps.push_back(steps_of(trace, object));
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
    std::size_t step = 0, place = 0;
    Cursor cursor = trace.events(object);
    while (const Event* next = cursor.next()) {
      Event event = *next;
      event.burst_ns = median_around(steps, object, step, place++, reach);
      builder.add(object, event);
      if (event.kind == EventKind::sync) ++step, place = 0;
    }
  }
  return std::move(builder).finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) {
    std::fprintf(stderr, "usage: steady_trace OUT TRACE [STEPS]\n");
    return 2;
  }
  try {
    const std::size_t reach = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 5;
    write_trace(steady(read_trace(argv[2]), reach), argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "steady_trace: %s\n", error.what());
    return 1;
  }
}
