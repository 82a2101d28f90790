// SPDX-License-Identifier: Apache-2.0
#include "trace_path.hpp"

#include <algorithm>
#include <cmath>

namespace skein::report {
namespace {

using simulate::Ns;

constexpr std::uint64_t most_events = 10'000'000;  // each takes some hundred bytes
constexpr std::uint64_t most_ns = std::uint64_t{1} << 61;
constexpr std::size_t most_arrows = 100'000;

}  // namespace

TracePath::TracePath(const trace::Trace& trace) : trace_(trace) {
  for (trace::ObjectIndex object = 0; object < trace.object_count(); ++object)
    events_ += trace.event_count(object);
}

void TracePath::add(ObjectIndex object, PeIndex pe, std::uint64_t number, const trace::Event& event,
                    std::uint64_t begin_ns) {
  broken_ |= begin_ns > most_ns || event.burst_ns > most_ns || event.call_ns > most_ns;
  if (events_ > most_events || broken_) return;
  // Without a burst, too: it is where the call begins.
  const auto begin = static_cast<Ns>(begin_ns), end = begin + static_cast<Ns>(event.burst_ns);
  timeline_.bursts.push_back({object, pe, begin, end, number});
  if (event.kind == trace::EventKind::file && event.call_ns > 0)
    timeline_.bursts.push_back({object, pe, end, end + static_cast<Ns>(event.call_ns), number});
}

void TracePath::finish(Run& run, const std::vector<std::uint64_t>& step_points) {
  if (events_ > most_events)
    run.warnings.push_back("Messages and the critical path are worked out of up to " +
                           std::to_string(most_events) + " events, and the trace has " +
                           std::to_string(events_) +
                           ": record fewer steps, or coarsen it (skein trace coarsen).");
  if (events_ > most_events || broken_) return;
  timeline_.pes = run.pes;
  timeline_.makespan = static_cast<Ns>(std::llround(run.seconds * 1e9));
  for (std::uint64_t before = 0; const std::uint64_t point : step_points)
    timeline_.steps.emplace_back().points = point - std::exchange(before, point);
  const simulate::Causes causes = simulate::find_causes(trace_, timeline_);
  run.path = simulate::critical_path(trace_, timeline_, causes, 0);
  run.flights = simulate::find_flights(causes, most_arrows);
}

}  // namespace skein::report
