// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/stream.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/trace/recording.hpp"

namespace skein::trace {

TickLength tick_length;
std::vector<std::size_t> recorded_counters;
void (*charge_counters)(load::Meter* meter) = nullptr;

void TickLength::measure() {
  scaled_ = static_cast<std::uint64_t>(std::llround(std::ldexp(ns_per_tick(), shift)));
}

Stream::Stream(ObjectIndex object, Progress& progress, load::Meter& meter)
    : progress_(progress), meter_(meter), object_(object) {}

void Stream::judge(Site& site, std::uint64_t burst_ns) {
  // Of calls that were skipped, each takes some time, too.
  constexpr std::uint64_t slack_ns = 10 * least_burst_ns;
  constexpr unsigned most_lies = 6;
  const bool is_long = burst_ns >= least_burst_ns;
  SiteHistory& history = history_of(site);
  if (site.suspect) {
    site.suspect = false;
    if (is_long) {
      history.lies = static_cast<std::uint8_t>(std::min(history.lies + 1u, most_lies));
      history.must_read = static_cast<std::uint16_t>(1u << 2 * history.lies);
    }
  }
  if (skipped_ && burst_ns > 2 * std::uint64_t{history.usual_ns} + slack_ns) {
    for (Site& other : sites_) {
      other.suspect = other.skips > 0;
      other.skips = 0;
    }
  } else if (!is_long && history.must_read > 0) {
    --history.must_read;
  } else if (!is_long && recorded_counters.empty()) {
    site.skips = skips_at_once;
  }
  history.usual_ns = is_long ? static_cast<std::uint32_t>(std::min<std::uint64_t>(burst_ns, UINT32_MAX)) : 0;
  skipped_ = false;
}

void Stream::take_burst(Event& event, Site& site, std::uint64_t end, std::uint64_t next) {
  const std::uint64_t length = end - progress_.burst_began, ns = tick_length.ns(length);
  judge(site, ns);
  if (ns < least_burst_ns && recorded_counters.empty()) {
    progress_.burst_began = next - length;
    return;
  }
  event.burst_ns = ns;
  progress_.burst_began = next;
  if (recorded_counters.empty()) return;
  event.counters = {progress_.in_burst, recorded_counters.size()};
  begin_counting();
}

void Stream::count_burst() {
  charge_counters(&meter_);
  for (std::size_t i = 0; i < recorded_counters.size(); ++i)
    progress_.in_burst[i] = meter_.counters[recorded_counters[i]] - progress_.counted[i];
}

void Stream::begin_counting() {
  charge_counters(&meter_);
  for (std::size_t i = 0; i < recorded_counters.size(); ++i)
    progress_.counted[i] = meter_.counters[recorded_counters[i]];
}

void Stream::leave(Event& event, const Entry& entry) {
  const bool waited = meter_.resumed_at != entry.resumed_at;
  if (entry.at) {
    take_burst(event, *entered_, entry.busy, waited ? meter_.busy_ticks : entry.busy);
    if (waited) event.call_ns = tick_length.ns(meter_.resumed_at - entry.at);
  } else if (waited) {
    const std::uint64_t left_at = entry.resumed_at + (meter_.busy_ticks - entry.busy);
    take_burst(event, *entered_, meter_.busy_ticks, meter_.busy_ticks);
    event.call_ns = tick_length.ns(meter_.resumed_at - left_at);
  } else {
    --entered_->skips;
    skipped_ = true;
  }
}

void Stream::leave_reading(Event& event, const Entry& entry) {
  const Entry now = look_at_clock();
  Site& site = site_of(static_cast<std::uint32_t>(event.kind) << 5 | event.what);
  take_burst(event, site, entry.busy, now.busy);
  event.call_ns = tick_length.ns(now.at - entry.at);
}

void Stream::leave_out(const Entry& entry) { progress_.burst_began += look_at_clock().busy - entry.busy; }

void Stream::end_last_burst(Event& event) {
  const Entry now = enter_reading();
  event.burst_ns = tick_length.ns(now.busy - progress_.burst_began);
  event.counters = {progress_.in_burst, recorded_counters.size()};
}

bool Stream::was_asked_before() {
  const bool before = asked_;
  asked_ = !encoder_.empty();
  return before && asked_;
}

}  // namespace skein::trace
