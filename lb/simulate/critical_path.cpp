// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/critical_path.hpp"

#include <algorithm>
#include <map>

namespace skein::simulate {
namespace {

using trace::ObjectIndex;

/// How much longer than a switch between objects a PE may be idle that had no time to be: the rest is what
/// the network's rules take of a PE for messages of others.
constexpr double switches_between = 4;
constexpr Ns least_between_ns = 2000;

class Walk {
 public:
  Walk(const trace::Trace& trace, const Timeline& timeline, const Causes& causes, double switch_ns)
      : trace_(trace),
        between_ns_(std::max(least_between_ns, static_cast<Ns>(switches_between * switch_ns))),
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

  /// An object's last burst that has begun before now; now is in it, or behind it.
  const Stretch* last_stretch(ObjectIndex object) const {
    const std::vector<Stretch>& own = causes_.stretches[object];
    const auto after = std::ranges::lower_bound(own, now_, {}, &Stretch::begin);
    return after == own.begin() ? nullptr : &*(after - 1);
  }
  /// Until now. Clocks of recorded runs differ a little, so what was waited for may seem to have come later.
  bool computes(ObjectIndex object) const {
    const Stretch* const last = last_stretch(object);
    return last && last->end >= now_;
  }
  /// The burst that begins at now, or later.
  const Stretch* next_stretch() const {
    const std::vector<Stretch>& own = causes_.stretches[object_];
    const auto after = std::ranges::lower_bound(own, now_, {}, &Stretch::begin);
    return after == own.end() ? nullptr : &*after;
  }

  /// Why the object went on now and not when `last` was over; null: at the start of the job.
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
    // What came before the object had done its own was under way.
    add(part, std::max(from, since));
    if (from >= since) hand_on(latest->from.object);
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
  const Causes& causes_;
  std::vector<std::vector<BurstRecord>> by_pe_;
  std::map<std::uint32_t, Ns> of_region_;
  CriticalPath path_;
  ObjectIndex object_ = 0;
  Ns now_ = 0;
};

}  // namespace

CriticalPath critical_path(const trace::Trace& trace, const Timeline& timeline, const Causes& causes,
                           double switch_ns) {
  return Walk(trace, timeline, causes, switch_ns).go();
}

}  // namespace skein::simulate
