// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/critical_path.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "lb/trace/formats/messages.hpp"
#include "skein/lb/as_recorded.hpp"

namespace skein::simulate {
namespace {

using trace::EventKind;
using trace::ObjectIndex;

/// How much longer than a switch between objects a PE may be idle that had no time to be: the rest is what
/// the network's rules take of a PE for messages of others.
constexpr double switches_between = 4;
constexpr Ns least_between_ns = 2000;

struct Point {
  ObjectIndex object = 0;
  Ns at = 0;
};

/// What an object may have waited for.
struct Cause {
  enum class Kind : std::uint8_t { message, collective, step } kind = Kind::message;
  Point from;
};

/// A burst with what lies before it.
struct Stretch {
  Ns begin = 0, end = 0;
  lb::PeIndex pe = 0;
  std::uint32_t region = 0;  // index + 1; 0: none
  std::uint32_t first_cause = 0, last_cause = 0;
};

/// Two passes over the streams: when everything was sent and who came last to collectives; then who waited
/// for what.
class Gatherer {
 public:
  Gatherer(const trace::Trace& trace, const Timeline& timeline)
      : trace_(trace),
        timeline_(timeline),
        messages_(trace),
        bursts_(bursts_by_object(timeline, trace.object_count())) {}

  void gather() {
    for (ObjectIndex object = 0; object < trace_.object_count(); ++object) note_sends(object);
    stretches.resize(trace_.object_count());
    for (ObjectIndex object = 0; object < trace_.object_count(); ++object) note_causes(object);
  }

  std::vector<std::vector<Stretch>> stretches;  // by object, rising
  std::vector<Cause> causes;

 private:
  /// The time of an object at each event of its stream: the end of its last burst.
  class Clock {
   public:
    explicit Clock(std::span<const BurstRecord> bursts) : left_(bursts) {}
    /// The bursts of a step of the stream, `events` of which have one.
    template <class OnBurst>
    void pass(const trace::MpiStream::Step& step, OnBurst on_burst) {
      const int count =
          (step.event->burst_ns > 0) + (step.event->kind == EventKind::file && step.event->call_ns > 0);
      for (int i = 0; i < count && !left_.empty(); ++i, left_ = left_.subspan(1)) {
        now = left_.front().end;
        on_burst(left_.front());
      }
    }
    Ns now = 0;

   private:
    std::span<const BurstRecord> left_;
  };

  void note_sends(ObjectIndex object) {
    Clock clock(bursts_[object]);
    trace::MessageCounter counter(messages_, object);
    trace::MpiStream stream = messages_.stream(object);
    std::map<std::uint32_t, std::uint64_t> calls;
    while (const trace::MpiStream::Step* const step = stream.next()) {
      clock.pass(*step, [](const BurstRecord&) {});
      if (step->event->kind == EventKind::send && step->channel)
        sent_[key_of(counter.count(*step->channel, true))] = {object, clock.now};
      if (step->event->kind == EventKind::collective) {
        Point& last = last_member_[{step->event->communicator, calls[step->event->communicator]++}];
        if (clock.now >= last.at) last = {object, clock.now};
      }
    }
  }

  void note_causes(ObjectIndex object) {
    Clock clock(bursts_[object]);
    trace::MessageCounter counter(messages_, object);
    trace::MpiStream stream = messages_.stream(object);
    std::map<std::uint32_t, std::uint64_t> calls;
    std::unordered_map<std::uint64_t, Cause> by_request;
    std::vector<std::uint32_t> regions;
    std::uint32_t first_cause = 0;
    const auto add = [&](const Cause& cause) { causes.push_back(cause); };
    first_cause = static_cast<std::uint32_t>(causes.size());
    while (const trace::MpiStream::Step* const step = stream.next()) {
      const trace::Event& event = *step->event;
      clock.pass(*step, [&](const BurstRecord& burst) {
        const auto last_cause = static_cast<std::uint32_t>(causes.size());
        stretches[object].push_back({burst.begin, burst.end, burst.pe,
                                     regions.empty() ? 0 : regions.back() + 1, first_cause, last_cause});
        first_cause = last_cause;
      });
      switch (event.kind) {
        case EventKind::receive:
          if (!step->channel) break;
          if (const auto found = sent_.find(key_of(counter.count(*step->channel, false)));
              found != sent_.end()) {
            const Cause cause{Cause::Kind::message, found->second};
            if (event.starts_request)
              by_request[step->request] = cause;
            else
              add(cause);
          }
          break;
        case EventKind::collective: {
          const Cause cause{Cause::Kind::collective,
                            last_member_[{event.communicator, calls[event.communicator]++}]};
          if (event.starts_request)
            by_request[step->request] = cause;
          else
            add(cause);
          break;
        }
        case EventKind::wait:
          for (const std::uint64_t request : step->requests)
            if (const auto found = by_request.find(request); found != by_request.end()) {
              add(found->second);
              by_request.erase(found);
            }
          break;
        case EventKind::sync:
          if (const auto last = last_before_step_after(clock.now)) add({Cause::Kind::step, *last});
          break;
        case EventKind::region_begin:
          regions.push_back(static_cast<std::uint32_t>(event.list[0]));
          break;
        case EventKind::region_end:
          if (!regions.empty()) regions.pop_back();
          break;
        default:
          break;
      }
    }
  }

  /// Whoever came last to the first LB step from this time on, if the object that came to a sync point at
  /// this time stopped for it.
  std::optional<Point> last_before_step_after(Ns at) {
    const auto step = std::ranges::lower_bound(timeline_.steps, at, {}, &StepRecord::at);
    if (step == timeline_.steps.end()) return std::nullopt;
    const auto [found, is_new] = last_of_step_.try_emplace(step - timeline_.steps.begin());
    if (is_new)
      for (ObjectIndex object = 0; object < bursts_.size(); ++object)
        for (auto burst = std::ranges::upper_bound(bursts_[object], step->at, {}, &BurstRecord::end);
             burst != bursts_[object].begin();) {
          --burst;
          if (burst->end >= found->second.at) found->second = {object, burst->end};
          break;
        }
    return found->second;
  }

  static std::uint64_t key_of(const trace::Message& message) {
    return std::uint64_t{message.channel} << 40 ^ message.number;
  }

  const trace::Trace& trace_;
  const Timeline& timeline_;
  trace::Messages messages_;
  std::vector<std::vector<BurstRecord>> bursts_;
  std::unordered_map<std::uint64_t, Point> sent_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, Point> last_member_;  // by communicator and call
  std::unordered_map<std::ptrdiff_t, Point> last_of_step_;
};

class Walk {
 public:
  Walk(const trace::Trace& trace, const Timeline& timeline, const Platform& platform)
      : trace_(trace),
        between_ns_(std::max(least_between_ns, static_cast<Ns>(switches_between * platform.switch_ns))),
        gatherer_(trace, timeline),
        by_pe_(timeline.pes + timeline.reserved_pes) {
    gatherer_.gather();
    for (const BurstRecord& burst : timeline.bursts) by_pe_[burst.pe].push_back(burst);
    for (std::vector<BurstRecord>& own : by_pe_) std::ranges::stable_sort(own, {}, &BurstRecord::end);
    path_.of_object.resize(trace.object_count());
    now_ = timeline.makespan;
  }

  CriticalPath go() {
    object_ = who_ended_last();
    while (now_ > 0) {
      const Stretch* const last = last_stretch();
      if (!last) {
        // It has not begun: others had its PE, or the job is not there yet.
        if (!go_on_with_the_pe(first_pe(), 0)) add(path_.waiting, 0);
        continue;
      }
      if (last->end < now_) {
        before(*last);
        continue;
      }
      const Ns computed = now_ - last->begin;
      path_.of_object[object_] += computed;
      of_region_[last->region] += computed;
      add(path_.compute, last->begin);
    }
    for (const auto& [region, ns] : of_region_)
      path_.of_region.emplace_back(region == 0 ? "" : trace_.names()[region - 1], ns);
    std::ranges::stable_sort(path_.of_region, std::ranges::greater{},
                             [](const auto& one) { return one.second; });
    return std::move(path_);
  }

 private:
  ObjectIndex who_ended_last() const {
    ObjectIndex who = 0;
    Ns latest = -1;
    for (ObjectIndex object = 0; object < gatherer_.stretches.size(); ++object)
      if (!gatherer_.stretches[object].empty() && gatherer_.stretches[object].back().end > latest) {
        latest = gatherer_.stretches[object].back().end;
        who = object;
      }
    return who;
  }

  /// The object's last burst that has begun before now; now is in it, or behind it.
  const Stretch* last_stretch() const {
    const std::vector<Stretch>& own = gatherer_.stretches[object_];
    auto after = std::ranges::lower_bound(own, now_, {}, &Stretch::begin);
    return after == own.begin() ? nullptr : &*(after - 1);
  }
  /// The burst that begins at now, or later.
  const Stretch* next_stretch() const {
    const std::vector<Stretch>& own = gatherer_.stretches[object_];
    const auto after = std::ranges::lower_bound(own, now_, {}, &Stretch::begin);
    return after == own.end() ? nullptr : &*after;
  }
  lb::PeIndex first_pe() const {
    return gatherer_.stretches[object_].empty() ? 0 : gatherer_.stretches[object_].front().pe;
  }

  /// Why the object went on now and not when `last` was over.
  void before(const Stretch& last) {
    const Stretch* const next = next_stretch();
    if (go_on_with_the_pe(next ? next->pe : last.pe, last.end)) return;
    const Cause* latest = nullptr;
    if (next)
      for (std::uint32_t i = next->first_cause; i < next->last_cause; ++i)
        if (const Cause& cause = gatherer_.causes[i];
            cause.from.at < now_ && cause.from.at >= last.end && (!latest || cause.from.at > latest->from.at))
          latest = &cause;
    if (!latest) {
      add(next ? path_.waiting : path_.between, last.end);
      return;
    }
    Ns& part = latest->kind == Cause::Kind::message ? path_.transfer
               : latest->kind == Cause::Kind::step  ? path_.balancing
                                                    : path_.collective;
    add(part, latest->from.at);
    hand_on(latest->from.object);
  }

  /// Whether another object left the PE just before now, and after `since`; the path goes on with that one.
  bool go_on_with_the_pe(lb::PeIndex pe, Ns since) {
    const std::vector<BurstRecord>& all = by_pe_[pe];
    auto after = std::ranges::upper_bound(all, now_, {}, &BurstRecord::end);
    if (after == all.begin()) return false;
    const BurstRecord& burst = *(after - 1);
    if (burst.end <= since || now_ - burst.end > between_ns_ || burst.object == object_) return false;
    add(path_.between, burst.end);
    hand_on(burst.object);
    return true;
  }

  void add(Ns& part, Ns until) {
    part += now_ - until;
    now_ = until;
  }
  void hand_on(ObjectIndex object) {
    path_.handed_on += object != object_;
    object_ = object;
  }

  const trace::Trace& trace_;
  const Ns between_ns_;
  Gatherer gatherer_;
  std::vector<std::vector<BurstRecord>> by_pe_;
  std::map<std::uint32_t, Ns> of_region_;
  CriticalPath path_;
  ObjectIndex object_ = 0;
  Ns now_ = 0;
};

}  // namespace

CriticalPath critical_path(const trace::Trace& trace, const Timeline& timeline, const Platform& platform) {
  if (trace.header().native)
    throw SimulationError("the critical path of a native program is not known: traces of ranks have one");
  return Walk(trace, timeline, platform).go();
}

}  // namespace skein::simulate
