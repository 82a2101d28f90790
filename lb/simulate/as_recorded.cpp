// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/as_recorded.hpp"

#include <algorithm>
#include <tuple>

#include "skein/lb/trace_beginning.hpp"

namespace skein::simulate {
namespace {

using trace::Event;
using trace::EventKind;

bool may_wait(const Event& event) {
  switch (event.kind) {
    case EventKind::send:
    case EventKind::receive:
    case EventKind::collective:
      return !event.starts_request;
    case EventKind::wait:
    case EventKind::probe:
    case EventKind::sync:
    case EventKind::sleep:
    case EventKind::execute:
      return true;
    default:
      return false;
  }
}

struct Times {
  Ns burst = 0, call = 0;
};

/// The times of an object's events: its bursts are as the simulation had them, in order.
class ObjectTimes {
 public:
  explicit ObjectTimes(std::span<const BurstRecord> bursts) : bursts_(bursts) {}

  /// What it waited before anything that it did.
  Ns lead() const { return lead_; }

  std::vector<Times> of(trace::Cursor cursor) {
    while (const Event* const event = cursor.next()) {
      times_.emplace_back();
      if (event->burst_ns > 0) times_.back().burst = next();
      if (event->kind == EventKind::file && event->call_ns > 0) times_.back().call = next();
      if (may_wait(*event)) waiting_ = times_.size() - 1;
    }
    return std::move(times_);
  }

 private:
  /// The length of the next burst. What lies before it is of the last call that may have waited, of those
  /// since the burst before.
  Ns next() {
    if (bursts_.empty()) return 0;  // it is cut off
    const BurstRecord burst = bursts_.front();
    bursts_ = bursts_.subspan(1);
    if (const Ns gap = burst.begin - now_; gap > 0) {
      if (waiting_ != nowhere)
        times_[waiting_].call += gap;
      else if (times_.size() > 1)
        times_[times_.size() - 2].call += gap;
      else
        lead_ += gap;
    }
    now_ = burst.end;
    waiting_ = nowhere;
    return burst.end - burst.begin;
  }

  static constexpr std::size_t nowhere = SIZE_MAX;
  std::span<const BurstRecord> bursts_;
  std::vector<Times> times_;
  std::size_t waiting_ = nowhere;
  Ns now_ = 0, lead_ = 0;
};

trace::Header header_of(const trace::Trace& trace, const Timeline& timeline, const std::string& how) {
  trace::Header header = trace.header();
  header.pes = static_cast<std::uint32_t>(std::max<std::size_t>(1, timeline.pes));
  header.options.append(header.options.empty() ? "" : " ").append("(simulated ").append(how).append(")");
  header.placement = timeline.placement.empty() ? std::vector<lb::PeIndex>() : timeline.placement.front();
  return header;
}

trace::RecordedStep step_of(const Timeline& timeline, std::size_t k) {
  const StepRecord& step = timeline.steps[k];
  trace::RecordedStep recorded{static_cast<std::uint64_t>(step.at),
                               static_cast<std::uint64_t>(step.collect + step.decide + step.move),
                               step.strategy,
                               {}};
  if (k + 1 < timeline.placement.size())
    for (trace::ObjectIndex object = 0; object < timeline.placement[k].size(); ++object)
      if (timeline.placement[k][object] != timeline.placement[k + 1][object])
        recorded.moves.emplace_back(object, timeline.placement[k + 1][object]);
  return recorded;
}

}  // namespace

std::vector<std::vector<BurstRecord>> bursts_by_object(const Timeline& timeline, std::size_t objects) {
  std::vector<std::vector<BurstRecord>> bursts(objects);
  for (const BurstRecord& burst : timeline.bursts) bursts[burst.object].push_back(burst);
  for (std::vector<BurstRecord>& own : bursts)
    std::ranges::sort(own, {}, [](const BurstRecord& b) { return std::tuple(b.event, b.begin, b.end); });
  return bursts;
}

trace::Trace as_recorded(const trace::Trace& trace, const Timeline& timeline, const std::string& how) {
  const std::vector<std::vector<BurstRecord>> bursts = bursts_by_object(timeline, trace.object_count());
  trace::TraceBuilder builder = trace::builder_like(trace, header_of(trace, timeline, how));
  for (std::size_t k = 0; k < timeline.steps.size(); ++k) builder.add(step_of(timeline, k));
  for (trace::ObjectIndex object = 0; object < trace.object_count(); ++object) {
    ObjectTimes times_of(bursts[object]);
    const std::vector<Times> times = times_of.of(trace.events(object));
    if (times_of.lead() > 0) {
      // Others on its PE came first.
      Event wait;
      wait.kind = EventKind::wait;
      wait.call_ns = static_cast<std::uint64_t>(times_of.lead());
      builder.add(object, wait);
    }
    trace::Cursor cursor = trace.events(object);
    for (const Times& own : times) {
      Event event = *cursor.next();
      event.burst_ns = static_cast<std::uint64_t>(own.burst);
      event.call_ns = static_cast<std::uint64_t>(own.call);
      builder.add(object, event);
    }
  }
  return std::move(builder).finish();
}

}  // namespace skein::simulate
