// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/stream.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/trace/recording.hpp"

namespace skein::trace {

Measuring measuring;

void TickLength::measure() {
  scaled_ = static_cast<std::uint64_t>(std::llround(std::ldexp(ns_per_tick(), shift)));
  scaled_for_few_ = static_cast<std::uint64_t>(std::llround(std::ldexp(ns_per_tick(), shift_of_few)));
}

namespace {

/// Returns the ticks per event, of many events; the least of several measurements, as disturbances only add.
template <class RecordOne>
std::uint64_t least_ticks(const RecordOne& record_one) {
  constexpr int attempts = 8, events = 256;
  std::uint64_t least = UINT64_MAX;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const std::uint64_t start = ticks();
    for (int k = 0; k < events; ++k) record_one();
    least = std::min(least, ticks() - start);
  }
  return least / events;
}

}  // namespace

EventCosts measure_event_costs() {
  Progress progress;
  load::Meter meter;
  Stream* of_nobody = nullptr;
  Stream stream(0, of_nobody, progress, meter, true);
  const auto make = [] {
    Event event;
    event.kind = EventKind::wait;
    return event;
  };
  const EventKey key{1, 2, 3};
  EventCosts costs;
  costs.timed = least_ticks([&] {
    const Entry entry = stream.enter();
    meter.busy_ticks += 1u << 20;
    meter.resumed_at += 1u << 21;
    stream.add(key, 0, entry, make);
  });
  meter.resumed_at = ticks();
  stream.begin_burst(meter.busy_ticks);
  std::uint32_t token = Stream::no_token;
  costs.repeated = least_ticks([&] {
    if (stream.expects(token)) {
      (void)stream.repeat_start();
      if (stream.must_look()) stream.look();
      return;
    }
    stream.add(key, 0, make);
    token = stream.token_of_last();
  });
  volatile std::uint64_t now;
  costs.clock = least_ticks([&] { now = ticks(); });
  return costs;
}

Stream::Stream(ObjectIndex object, Stream*& of_object, Progress& progress, load::Meter& meter, bool in_order)
    : burst_began_(progress.burst_began),
      meter_(meter),
      requests_(progress.requests),
      read_at_(requests_),
      places_(in_order),
      progress_(progress),
      of_object_(of_object),
      object_(object) {
  encoder_.begin(batch_);
}

namespace {

std::uint16_t watched_for(unsigned lies) { return static_cast<std::uint16_t>(1u << 2 * lies); }

}  // namespace

void Stream::judge(Place& place, std::uint64_t burst_ns) {
  constexpr unsigned most_lies = 6;
  if (place.suspect) {
    place.suspect = false;
    if (burst_ns >= kLeastBurstNs) {
      PlaceEvent& event = places_.event_of(place);
      event.lies = static_cast<std::uint8_t>(std::min(event.lies + 1u, most_lies));
      event.must_read = watched_for(event.lies);
      place.is_watched = true;
    }
  }
  if (skipped() > 0 && burst_ns > 2 * std::uint64_t{place.usual_ns} + surprise_ns) {
    places_.for_each([](Place& other) { other.suspect = other.trusted; });
    trust_none();
  }
}

void Stream::trust(Place& place) {
  place.trusted = true;
  if (place.token == 0) place.token = places_.event_of(place).token;
}

void Stream::trust_none() {
  hiding_ = 0;
  places_.for_each([](Place& place) {
    place.trusted = false;
    if (!(place.token & own_token)) place.token = 0;
  });
}

void Stream::note_watched(Place& place, bool is_long) {
  PlaceEvent& event = places_.event_of(place);
  if (is_long) {
    event.must_read = watched_for(event.lies);
  } else if (--event.must_read == 0) {
    --event.lies;
    place.is_watched = false;
  }
}

void Stream::count_burst() {
  measuring.charge_counters(&meter_);
  for (std::size_t i = 0; i < measuring.counters.size(); ++i)
    progress_.in_burst[i] = meter_.counters[measuring.counters[i]] - progress_.counted[i];
}

void Stream::begin_counting() {
  measuring.charge_counters(&meter_);
  for (std::size_t i = 0; i < measuring.counters.size(); ++i)
    progress_.counted[i] = meter_.counters[measuring.counters[i]];
}

bool Stream::put_long_call_again(Place& place, std::uint64_t burst, std::uint64_t call) {
  if (place.waited >= Batch::shapes) return false;
  const std::uint64_t burst_ns = measuring.tick_length.ns(burst), call_ns = measuring.tick_length.ns(call);
  if (burst_ns - 1 >= UINT32_MAX || call_ns - 1 >= UINT32_MAX || is_surprise(place, burst_ns)) return false;
  note_length(place, burst_ns);
  burst_began_ = meter_.busy_ticks + measuring.event_costs.timed;
  batch_.number(static_cast<std::uint32_t>(burst_ns));
  batch_.number(static_cast<std::uint32_t>(call_ns));
  places_.reach(place);
  batch_.put(static_cast<std::uint8_t>(place.waited));
  return true;
}

Times Stream::leave_read(Place& place, const Entry& entry) {
  const bool waited = meter_.resumed_at != entry.resumed_at;
  if (waited) forget_lost();
  const std::uint64_t burst_ns =
      take_burst(place, entry.busy, waited ? meter_.busy_ticks : entry.busy, waited);
  return {burst_ns, waited ? measuring.tick_length.ns(meter_.resumed_at - entry.at) : 0};
}

void Stream::leave(Event& event, const Entry& entry, std::uint32_t place) {
  const Times times = leave(places_.go_to({other_event, place, 0}), entry);
  event.burst_ns = times.burst_ns;
  event.call_ns = times.call_ns;
  tell_counters(event);
}

void Stream::leave_reading(Event& event, const Entry& entry) {
  const Entry now = look_at_clock();
  forget_lost();
  Place& place = places_.go_to({other_event, static_cast<std::uint64_t>(event.kind) << 5 | event.what, 1});
  event.burst_ns = take_burst(place, entry.busy, now.busy);
  event.call_ns = measuring.tick_length.ns(now.at - entry.at);
  tell_counters(event);
}

void Stream::add_anew(Place& place, std::uint64_t bytes, unsigned variant, Event& event) {
  tell_counters(event);
  const std::uint16_t shape = encode(event);
  PlaceEvent& of_place = places_.event_of(place);
  if (of_place.bytes == bytes) {
    shape_of(place, variant) = shape;
    return;
  }
  of_place.bytes = bytes;
  of_place.with_burst = of_place.with_call = place.plain = place.waited = kNoShape;
  place.token = of_place.token = 0;
}

std::uint32_t Stream::token_of_last() {
  Place& last = places_.last();
  if (last.plain >= Batch::shapes) return no_token;
  std::uint32_t& token = places_.event_of(last).token;
  if (token == 0 && progress_.tokens + 1 < own_token) token = ++progress_.tokens;
  if (last.trusted) last.token = token;
  return token ? token : no_token;
}

void Stream::leave_out(const Entry& entry) {
  burst_began_ += look_at_clock().busy - entry.busy;
  forget_lost();
}

void Stream::end_last_burst(Event& event) {
  const Entry now = enter_reading();
  event.burst_ns = burst_ns(now.busy);
  event.counters = {progress_.in_burst, measuring.counters.size()};
}

bool Stream::was_asked_before() {
  const bool before = asked_;
  asked_ = !empty();
  return before && asked_;
}

}  // namespace skein::trace
