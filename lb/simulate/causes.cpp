// SPDX-License-Identifier: Apache-2.0
// Reads each stream twice: first for when everything was there, then for the causes of each burst.
#include "skein/lb/causes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "lb/simulate/executions.hpp"
#include "lb/trace/formats/collectives.hpp"
#include "lb/trace/formats/messages.hpp"
#include "lb/trace/kinds.hpp"
#include "skein/lb/as_recorded.hpp"
#include "skein/lb/trace_beginning.hpp"

namespace skein::simulate {
namespace {

using trace::Collective;
using trace::Event;
using trace::EventKind;
using trace::ObjectIndex;

/// The thing that a burst may wait for; it is there once the last of its providers has come.
enum What : std::uint64_t { message, members, root, contributions, sync_point };
using Key = std::array<std::uint64_t, 3>;

class Finder {
 public:
  Finder(const trace::Trace& trace, const Timeline& timeline)
      : trace_(trace),
        bursts_(bursts_by_object(timeline, trace.object_count())),
        first_points_(trace::first_points(trace)) {
    if (trace.header().native)
      by_end_ = timeline.bursts;
    else
      messages_.emplace(trace);
    std::ranges::stable_sort(by_end_, {}, &BurstRecord::end);
    std::uint64_t point = 0;
    for (const StepRecord& step : timeline.steps) step_points_.insert(point += step.points);
    found_.stretches.resize(trace.object_count());
  }

  Causes find() && {
    go_through_all();
    is_second_ = true;
    go_through_all();
    // An element that stopped for an LB step did a part of its stream in another order.
    for (std::vector<Stretch>& own : found_.stretches) std::ranges::stable_sort(own, {}, &Stretch::begin);
    return std::move(found_);
  }

 private:
  void go_through_all() {
    for (object_ = 0; object_ < trace_.object_count(); ++object_) {
      left_ = bursts_[object_];
      now_ = 0;
      regions_.clear();
      first_cause_ = found_.all.size();
      points_ = first_points_[object_];
      messages_ ? go_through_rank() : go_through_element();
    }
  }

  /// Advances to an event, whose time is the end of the last burst before it.
  void come_to(std::uint64_t event) {
    for (; !left_.empty() && left_.front().event <= event; left_ = left_.subspan(1)) {
      const BurstRecord& burst = left_.front();
      now_ = burst.end;
      if (!is_second_) continue;
      const std::size_t last_cause = found_.all.size();
      found_.stretches[object_].push_back({burst.begin, burst.end, burst.pe,
                                           regions_.empty() ? 0 : regions_.back() + 1, first_cause_,
                                           last_cause});
      first_cause_ = last_cause;
    }
  }

  void provide(const Key& key) {
    if (is_second_) return;
    Moment& last = there_[key];
    if (now_ >= last.at) last = {object_, now_};
  }
  std::optional<Cause> cause(Cause::Kind kind, const Key& key) const {
    const auto found = there_.find(key);
    if (!is_second_ || found == there_.end()) return {};
    return Cause{kind, found->second};
  }
  void await(const std::optional<Cause>& cause) {
    if (cause) found_.all.push_back(*cause);
  }
  void await_step() {
    if (step_points_.contains(points_)) await(cause(Cause::Kind::step, {sync_point, points_, 0}));
  }

  void go_through_rank() {
    trace::MessageCounter counter(*messages_, object_);
    trace::CollectiveCounter collectives;
    trace::MpiStream stream = messages_->stream(object_);
    std::map<std::uint64_t, std::optional<Cause>> of_request;
    while (const trace::MpiStream::Step* const step = stream.next()) {
      const Event& event = *step->event;
      come_to(step->number);
      std::optional<Cause> cause;
      if (step->channel) {
        const bool sends = event.kind == EventKind::send;
        const trace::Message number = counter.count(*step->channel, sends);
        const Key key{message, number.channel, number.number};
        sends ? provide(key) : void(cause = this->cause(Cause::Kind::message, key));
      }
      if (event.kind == EventKind::collective) cause = come_to_collective(event, collectives.count(event));
      if (event.starts_request)
        of_request[step->request] = cause;
      else
        await(cause);
      for (const std::uint64_t request : step->requests)
        if (const auto of = of_request.extract(request)) await(of.mapped());
      if (event.kind == EventKind::sync) {
        provide({sync_point, ++points_, 0});
        await_step();
      }
      if (event.kind == EventKind::region_begin)
        regions_.push_back(static_cast<std::uint32_t>(event.list[0]));
      if (event.kind == EventKind::region_end && !regions_.empty()) regions_.pop_back();
    }
  }

  std::optional<Cause> come_to_collective(const Event& event, std::uint64_t number) {
    const std::uint64_t line =
        std::uint64_t{event.communicator} << 32 | static_cast<std::uint32_t>(event.tag);
    const bool is_root = event.partner == static_cast<std::int32_t>(object_);
    provide({members, line, number});
    if (is_root) provide({root, line, number});
    const auto kind = static_cast<Collective>(event.what);
    const bool one_gets =
        kind == Collective::gather || kind == Collective::gatherv || kind == Collective::reduce;
    const bool one_gives = trace::has_root(kind) && !one_gets;
    if (event.partner >= 0 && (one_gets ? !is_root : one_gives && is_root)) return {};
    return cause(Cause::Kind::collective, {event.partner >= 0 && one_gives ? root : members, line, number});
  }

  void go_through_element() {
    trace::Cursor events = trace_.events(object_);
    std::uint64_t sent = 0;
    for (std::uint64_t number = 0; const Event* const event = events.next(); ++number) {
      come_to(number);
      if (trace::causes_executions(event->kind)) provide({message, object_, sent++});
      if (event->kind == EventKind::contribute) provide({contributions, event->communicator, event->serial});
      if (event->kind == EventKind::sync) provide({sync_point, ++points_, 0});
      if (event->kind == EventKind::finish) regions_.clear();
      if (event->kind != EventKind::execute) continue;
      regions_ = {static_cast<std::uint32_t>(event->tag)};
      begin_execution(*event);
    }
  }

  void begin_execution(const Event& execute) {
    switch (static_cast<trace::Cause>(execute.what)) {
      case trace::Cause::message:
        return await(cause(Cause::Kind::message,
                           {message, static_cast<std::uint32_t>(execute.partner), execute.serial}));
      case trace::Cause::reduction:
        return await(cause(Cause::Kind::collective, {contributions, execute.communicator, execute.serial}));
      case trace::Cause::resumed:
        return await_step();
      case trace::Cause::quiescence:
        if (is_second_ && !left_.empty()) await(last_before(left_.front().begin));
        return;
      case trace::Cause::begin:
        return;
    }
  }

  /// Returns the last computing before `at`.
  std::optional<Cause> last_before(Ns at) const {
    const auto after = std::ranges::lower_bound(by_end_, at, {}, &BurstRecord::end);
    if (after == by_end_.begin()) return {};
    return Cause{Cause::Kind::collective, {(after - 1)->object, (after - 1)->end}};
  }

  const trace::Trace& trace_;
  const std::vector<std::vector<BurstRecord>> bursts_;
  const std::vector<std::uint64_t> first_points_;
  std::optional<trace::Messages> messages_;  // of ranks
  std::vector<BurstRecord> by_end_;          // of elements
  std::set<std::uint64_t> step_points_;
  std::map<Key, Moment> there_;
  bool is_second_ = false;  // pass
  Causes found_;

  /// The object that is being read.
  ObjectIndex object_ = 0;
  std::span<const BurstRecord> left_;
  Ns now_ = 0;
  std::vector<std::uint32_t> regions_;
  std::size_t first_cause_ = 0;
  std::uint64_t points_ = 0;
};

}  // namespace

Causes find_causes(const trace::Trace& trace, const Timeline& timeline) {
  return Finder(trace, timeline).find();
}

Flights find_flights(const Causes& causes, std::size_t most) {
  Flights found;
  const auto keep_longest = [&] {
    if (found.longest.size() <= most) return;
    std::ranges::nth_element(found.longest, found.longest.begin() + static_cast<std::ptrdiff_t>(most),
                             std::ranges::greater{}, &Flight::waited);
    found.longest.resize(most);
  };
  for (ObjectIndex object = 0; object < causes.stretches.size(); ++object) {
    Ns last_end = 0;
    for (const Stretch& stretch : causes.stretches[object]) {
      for (const Cause& cause : causes.before(stretch)) {
        if (cause.kind != Cause::Kind::message) continue;
        ++found.count;
        found.longest.push_back({cause.from, {object, stretch.begin}, stretch.begin - last_end});
        if (found.longest.size() >= 2 * most) keep_longest();
      }
      last_end = stretch.end;
    }
  }
  keep_longest();
  std::ranges::sort(found.longest, {}, [](const Flight& flight) { return flight.sent.at; });
  return found;
}

}  // namespace skein::simulate
