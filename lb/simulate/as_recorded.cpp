// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/as_recorded.hpp"

#include <algorithm>
#include <tuple>

#include "lb/simulate/executions.hpp"
#include "lb/trace/kinds.hpp"
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

/// The times of an object's events: its bursts are those of the simulation, in order.
class ObjectTimes {
 public:
  explicit ObjectTimes(std::span<const BurstRecord> bursts) : bursts_(bursts) {}

  /// Returns how long the object waited before its first action.
  Ns lead() const { return lead_; }

  void add(const Event& event) {
    times_.emplace_back();
    if (event.burst_ns > 0) times_.back().burst = next();
    if (event.kind == EventKind::file && event.call_ns > 0) times_.back().call = next();
    if (may_wait(event)) waiting_ = times_.size() - 1;
  }
  const std::vector<Times>& times() const { return times_; }

 private:
  /// Returns the length of the next burst. Gives the time before it to the last call since the previous burst
  /// that may have waited.
  Ns next() {
    if (bursts_.empty()) return 0;  // the run was cut off
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

/// The executions of a native program's object in the order of play: some came after an LB step though the
/// recording has them before it, so its messages have other numbers.
class PlayedOrder {
 public:
  /// Stays empty if the order is the recorded one.
  PlayedOrder(trace::Cursor cursor, std::span<const BurstRecord> bursts) {
    Executions executions(std::move(cursor));
    Ns begin = 0;  // an execution without bursts has that of the one before it
    for (Execution one; executions.next(one);) {
      const auto burst = std::ranges::lower_bound(bursts, one.first_event, {}, &BurstRecord::event);
      const std::uint64_t end = one.first_event + one.events.size();
      if (burst != bursts.end() && burst->event < end) begin = burst->begin;
      const auto messages = std::ranges::count_if(
          one.events, [](const Event& event) { return trace::causes_executions(event.kind); });
      parts_.push_back(
          {one.first_event, end, one.first_message, static_cast<std::uint32_t>(messages), begin});
    }
    if (std::ranges::is_sorted(parts_, {}, &Part::begin)) {
      parts_.clear();
      return;
    }
    const Part& last = parts_.back();
    messages_.resize(last.first_message + last.messages);
    std::ranges::stable_sort(parts_, {}, &Part::begin);
    std::uint32_t sent = 0;
    for (const Part& part : parts_)
      for (std::uint32_t i = 0; i < part.messages; ++i) messages_[part.first_message + i] = sent++;
  }

  bool is_recorded() const { return parts_.empty(); }
  std::uint64_t message(std::uint64_t recorded) const {
    return recorded < messages_.size() ? messages_[recorded] : recorded;
  }
  /// Returns the numbers of `events` events in the recorded stream, in the order of play.
  std::vector<std::uint64_t> events(std::uint64_t events) const {
    std::vector<std::uint64_t> order;
    for (const Part& part : parts_)
      for (std::uint64_t i = part.first_event; i < part.end; ++i) order.push_back(i);
    // The end of the stream belongs to no execution.
    for (std::uint64_t i = order.size(); i < events; ++i) order.push_back(i);
    return order;
  }

 private:
  struct Part {
    std::uint64_t first_event, end;
    std::uint32_t first_message, messages;
    Ns begin;
  };
  std::vector<Part> parts_;
  std::vector<std::uint64_t> messages_;  // by recorded number
};

/// An event that outlives its cursor.
struct StoredEvent {
  explicit StoredEvent(const Event& from)
      : event(from),
        list(from.list.begin(), from.list.end()),
        counters(from.counters.begin(), from.counters.end()) {}
  Event whole() const {
    Event copy = event;
    copy.list = list;
    copy.counters = counters;
    return copy;
  }
  Event event;
  std::vector<std::uint64_t> list;
  std::vector<std::int64_t> counters;
};

/// Calls visit(event) for an object's events in the order of play.
void each_event(trace::Cursor cursor, const PlayedOrder* order, auto&& visit) {
  if (!order || order->is_recorded()) {
    while (const Event* const event = cursor.next()) visit(*event);
    return;
  }
  std::vector<StoredEvent> kept;
  while (const Event* const event = cursor.next()) kept.emplace_back(*event);
  for (const std::uint64_t i : order->events(kept.size())) visit(kept[i].whole());
}

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
  std::vector<std::vector<BurstRecord>> bursts = bursts_by_object(timeline, trace.object_count());
  trace::TraceBuilder builder = trace::builder_like(trace, header_of(trace, timeline, how));
  for (std::size_t k = 0; k < timeline.steps.size(); ++k) builder.add(step_of(timeline, k));
  std::vector<PlayedOrder> orders;
  if (trace.header().native)
    for (trace::ObjectIndex object = 0; object < trace.object_count(); ++object) {
      orders.emplace_back(trace.events(object), bursts[object]);
      if (!orders.back().is_recorded())
        std::ranges::sort(bursts[object], {},
                          [](const BurstRecord& b) { return std::tuple(b.begin, b.end); });
    }
  for (trace::ObjectIndex object = 0; object < trace.object_count(); ++object) {
    const PlayedOrder* const order = orders.empty() ? nullptr : &orders[object];
    ObjectTimes of(bursts[object]);
    each_event(trace.events(object), order, [&](const Event& event) { of.add(event); });
    if (of.lead() > 0) {
      // Other objects on the PE came first.
      Event wait;
      wait.kind = EventKind::wait;
      wait.call_ns = static_cast<std::uint64_t>(of.lead());
      builder.add(object, wait);
    }
    auto own = of.times().begin();
    each_event(trace.events(object), order, [&](Event event) {
      event.burst_ns = static_cast<std::uint64_t>(own->burst);
      event.call_ns = static_cast<std::uint64_t>(own->call);
      ++own;
      if (event.kind == EventKind::execute &&
          static_cast<trace::Cause>(event.what) == trace::Cause::message && event.partner >= 0 &&
          !orders.empty())
        event.serial = orders[static_cast<std::size_t>(event.partner)].message(event.serial);
      builder.add(object, event);
    });
  }
  return std::move(builder).finish();
}

}  // namespace skein::simulate
