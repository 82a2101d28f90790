// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "skein/lb/critical_path.hpp"
#include "skein/lb/nearest.hpp"
#include "skein/lb/trace_beginning.hpp"
#include "skein/lb/trace_check.hpp"

namespace skein::simulate {
namespace {

using trace::ObjectIndex;

/// How many switches long a PE may be idle between objects: the network's rules use a PE for messages of
/// others. A longer gap counts as waiting.
constexpr double kSwitchesBetween = 4;
constexpr Ns kLeastBetweenNs = 2000;

class Walk {
 public:
  Walk(const trace::Trace& trace, const Timeline& timeline, const Causes& causes, double switch_ns)
      : trace_(trace),
        between_ns_(std::max(kLeastBetweenNs, static_cast<Ns>(kSwitchesBetween * switch_ns))),
        causes_(causes),
        by_pe_(timeline.pes + timeline.reserved_pes) {
    for (const BurstRecord& burst : timeline.bursts)
      if (burst.end > burst.begin) by_pe_[burst.pe].push_back(burst);
    for (std::vector<BurstRecord>& own : by_pe_) std::ranges::stable_sort(own, {}, &BurstRecord::end);
    path_.of_object.resize(trace.object_count());
    now_ = timeline.makespan;
  }

  CriticalPath go() {
    object_ = who_ended_last();
    while (now_ > 0) {
      const Stretch* const last = last_stretch(object_);
      if (!last || last->end < now_) {
        before(last);
        continue;
      }
      const Ns computed = now_ - last->begin;
      path_.of_object[object_] += computed;
      of_region_[last->region] += computed;
      if (!path_.parts.empty() && path_.parts.back().object == object_ && path_.parts.back().begin == now_)
        path_.parts.back().begin = last->begin;
      else
        path_.parts.push_back({object_, last->begin, now_});
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
    for (ObjectIndex object = 0; object < causes_.stretches.size(); ++object)
      if (const std::vector<Stretch>& own = causes_.stretches[object];
          !own.empty() && own.back().end > latest) {
        latest = own.back().end;
        who = object;
      }
    return who;
  }

  /// Returns an object's last burst that began before now; now is in it or behind it.
  const Stretch* last_stretch(ObjectIndex object) const {
    const std::vector<Stretch>& own = causes_.stretches[object];
    const auto after = std::ranges::lower_bound(own, now_, {}, &Stretch::begin);
    return after == own.begin() ? nullptr : &*(after - 1);
  }
  /// Returns true if the object computes until now. Clocks of recorded runs differ, so causes may seem to be
  /// late.
  bool computes(ObjectIndex object) const {
    const Stretch* const last = last_stretch(object);
    return last && last->end >= now_;
  }
  /// Returns the burst that begins at now or later.
  const Stretch* next_stretch() const {
    const std::vector<Stretch>& own = causes_.stretches[object_];
    const auto after = std::ranges::lower_bound(own, now_, {}, &Stretch::begin);
    return after == own.end() ? nullptr : &*after;
  }

  /// Finds why the object continued now and not when `last` was over; null: at the start of the job.
  void before(const Stretch* last) {
    const Stretch* const next = next_stretch();
    const Ns since = last ? last->end : 0;
    if (go_on_with_the_pe(next ? next->pe : last ? last->pe : 0, since)) return;
    const Cause* latest = nullptr;
    Ns from = -1;
    if (next)
      for (const Cause& cause : causes_.before(*next))
        if (const Ns at = std::min(cause.from.at, now_);
            at > from && (at < now_ || computes(cause.from.object))) {
          latest = &cause;
          from = at;
        }
    if (!latest) {
      add(now_ - since > between_ns_ ? path_.waiting : path_.between, since);
      return;
    }
    Ns& part = latest->kind == Cause::Kind::message ? path_.transfer
               : latest->kind == Cause::Kind::step  ? path_.balancing
                                                    : path_.collective;
    // The cause was under way while the object still computed; only the time after that counts.
    add(part, std::max(from, since));
    if (from >= since) hand_on(latest->from.object);
  }

  /// Returns true if another object left the PE just before now, after `since`; then the path continues with
  /// that object.
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
  const Causes& causes_;
  std::vector<std::vector<BurstRecord>> by_pe_;
  std::map<std::uint32_t, Ns> of_region_;
  CriticalPath path_;
  ObjectIndex object_ = 0;
  Ns now_ = 0;
};

using trace::Event;
using trace::EventKind;

/// Returns the number in "rank 3", if it is below `ranks`.
std::optional<trace::ObjectIndex> rank_of(const std::string& what, std::size_t ranks) {
  const std::string_view prefix = "rank ";
  if (!what.starts_with(prefix)) return std::nullopt;
  std::uint32_t rank = 0;
  const char* const end = what.data() + what.size();
  const auto [at, error] = std::from_chars(what.data() + prefix.size(), end, rank);
  if (error != std::errc() || at != end || rank >= ranks) return std::nullopt;
  return rank;
}

std::string known_to(const trace::Trace& trace) {
  std::string names;
  for (const trace::NamedPart& part : trace_info(trace).named)
    names.append(lb::quoted(part.name)).append(", ");
  return names.append("and 'rank 0' to 'rank ").append(std::to_string(trace.object_count() - 1)).append("'");
}

/// Follows an object's events to tell which are inside a region or entry method.
class Inside {
 public:
  Inside(const trace::Trace& trace, const std::string& name) : trace_(trace), name_(name) {}
  /// Returns true if the burst, which comes before what the event begins or ends, is inside.
  bool burst_of(const Event& event) {
    const bool was_inside = depth_ > 0;
    switch (event.kind) {
      case EventKind::region_begin:
        depth_ += trace_.names()[event.list[0]] == name_;
        break;
      case EventKind::region_end:
        depth_ -= depth_ > 0 && trace_.names()[event.list[0]] == name_;
        break;
      case EventKind::execute:
        depth_ = trace_.names()[static_cast<std::size_t>(event.tag)] == name_;
        break;
      case EventKind::finish:
        depth_ = 0;
        break;
      default:
        break;
    }
    return was_inside;
  }

 private:
  const trace::Trace& trace_;
  const std::string& name_;
  int depth_ = 0;
};

}  // namespace

CriticalPath critical_path(const trace::Trace& trace, const Timeline& timeline, const Causes& causes,
                           double switch_ns) {
  return Walk(trace, timeline, causes, switch_ns).go();
}

trace::Trace with_faster(const trace::Trace& trace, const std::string& what, double factor) {
  const std::optional<trace::ObjectIndex> rank = rank_of(what, trace.object_count());
  bool found = rank.has_value();
  trace::TraceBuilder builder = trace::builder_like(trace, trace.header());
  for (trace::ObjectIndex object = 0; object < trace.object_count(); ++object) {
    Inside inside(trace, what);
    trace::Cursor cursor = trace.events(object);
    while (const Event* const event = cursor.next()) {
      Event faster = *event;
      if (inside.burst_of(*event) || rank == object) {
        found = true;
        faster.burst_ns =
            static_cast<std::uint64_t>(std::llround(static_cast<double>(event->burst_ns) / factor));
      }
      builder.add(object, faster);
    }
  }
  if (!found)
    throw SimulationError("nothing is called " + lb::quoted(what) + " in the trace; it has " +
                          known_to(trace));
  return std::move(builder).finish();
}

}  // namespace skein::simulate
