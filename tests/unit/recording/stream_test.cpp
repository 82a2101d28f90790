// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/stream.hpp"

#include <doctest/doctest.h>

#include "runtime/base/pe_runtime.hpp"

using namespace skein;
using namespace skein::trace;

namespace {

/// An object, on a PE where recording takes a known time.
struct Object {
  explicit Object(const EventCosts& costs) {
    tick_length.measure();
    event_costs = costs;
  }
  ~Object() { event_costs = {}; }

  PeRuntime runtime{{}};
  Progress progress;
  load::Meter meter;
  Stream stream{0, progress, meter, true};
};

constexpr EventKey key{1, 2, 3};
constexpr auto make = [] {
  Event event;
  event.kind = EventKind::send;
  return event;
};

}  // namespace

TEST_CASE("stream: what an event took is no part of the burst behind it") {
  Object object({.repeated = 0, .timed = 3000, .clock = 0});
  object.stream.begin_burst(10000);
  CHECK(object.stream.burst_ns(900000) == tick_length.ns(900000 - 10000 - 3000));
  // A call that waits from busy time 700000 on, and is entered 200000 after the object got the processor.
  object.meter.busy_ticks = 500000;
  object.meter.resumed_at = 1000000;
  const Entry entry = object.stream.enter();
  object.meter.busy_ticks = 700000;
  object.meter.resumed_at = 5000000;
  Event event;
  object.stream.leave(event, entry, 1);
  CHECK(event.burst_ns == tick_length.ns(700000 - 10000 - 3000));
  CHECK(event.call_ns == tick_length.ns(5000000 - 1200000));
  CHECK(object.stream.burst_ns(950000) == tick_length.ns(950000 - 700000 - 3000));
  // Never less than nothing.
  CHECK(object.stream.burst_ns(700001) == 0);
}

TEST_CASE("stream: nor is what the events within a burst took, at which the clock is not read") {
  Object object({.repeated = 70, .timed = 0, .clock = 0});
  object.meter.resumed_at = ticks();
  object.stream.begin_burst(0);
  // Until its bursts have been seen to be short and what it is is known: an interrupt may make one long.
  for (int k = 0; k < 1000 && !object.stream.repeats(key, 0); ++k) object.stream.add(key, 0, make);
  const std::uint64_t later = object.progress.burst_began + 10000000;
  const std::uint64_t before = object.stream.burst_ns(later);
  int repeated = 0;
  while (Place* const place = object.stream.repeats(key, 0)) {
    object.stream.put_again(*place);
    ++repeated;
  }
  CHECK(repeated > 0);
  const std::uint64_t after = object.stream.burst_ns(later);
  CHECK(before - after >= tick_length.ns(70 * static_cast<std::uint64_t>(repeated)) - 1);
  CHECK(before - after <= tick_length.ns(70 * static_cast<std::uint64_t>(repeated)) + 1);
}

TEST_CASE("stream: recording takes some time, reading the clock as well") {
  const PeRuntime runtime({});
  event_costs = {};
  const EventCosts costs = measure_event_costs();
  for (const std::uint64_t cost : {costs.repeated, costs.timed, costs.clock}) {
    CHECK(cost > 0);
    CHECK(ns_of(cost) < 1e6);
  }
}
