// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/stream.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "runtime/base/pe_runtime.hpp"

using namespace skein;
using namespace skein::trace;

namespace {

/// An object on a PE where recording takes a known time.
struct Object {
  explicit Object(const EventCosts& costs, bool in_order = true)
      : stream(0, of_object, progress, meter, in_order) {
    measuring.tick_length.measure();
    measuring.event_costs = costs;
  }
  ~Object() { measuring.event_costs = {}; }
  void repeat() {
    (void)stream.repeat_start();
    if (stream.must_look()) stream.look();
  }
  bool put_call_again(std::uint32_t token, const Entry& entry) {
    const bool repeats = stream.put_call_again(token, entry);
    if (stream.must_look()) stream.look();
    return repeats;
  }

  PeRuntime runtime{{}};
  Progress progress;
  load::Meter meter;
  Stream* of_object = &stream;
  Stream stream;
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
  CHECK(object.stream.burst_ns(900000) == measuring.tick_length.ns(900000 - 10000 - 3000));
  // A call waits from busy time 700000 on; the object enters it 200000 after it got the processor.
  object.meter.busy_ticks = 500000;
  object.meter.resumed_at = 1000000;
  const Entry entry = object.stream.enter();
  object.meter.busy_ticks = 700000;
  object.meter.resumed_at = 5000000;
  Event event;
  object.stream.leave(event, entry, 1);
  CHECK(event.burst_ns == measuring.tick_length.ns(700000 - 10000 - 3000));
  CHECK(event.call_ns == measuring.tick_length.ns(5000000 - 1200000));
  CHECK(object.stream.burst_ns(950000) == measuring.tick_length.ns(950000 - 700000 - 3000));
  // A burst is never shorter than nothing.
  CHECK(object.stream.burst_ns(700001) == 0);
}

TEST_CASE("stream: nor is the time for which others had the core") {
  Object object({.repeated = 0, .timed = 0, .clock = 0});
  measuring.ticks_left_out = 0;
  object.stream.begin_burst(10000);
  // The object lost the core for 100000 of the ticks until it waits.
  const Entry entry = object.stream.enter();
  object.meter.busy_ticks = 700000;
  object.meter.lost_ticks = 100000;
  object.meter.resumed_at = 5000000;
  object.stream.add(key, 0, entry, make);
  CHECK(object.meter.lost_ticks == 0);
  CHECK(measuring.ticks_left_out == 100000);
  CHECK(object.stream.burst_began() == 700000);
  // It lost the core for 50000 of the next burst, which ends where an execution does.
  object.meter.lost_ticks = 50000;
  CHECK(object.stream.end_burst_at(900000) == measuring.tick_length.ns(900000 - 700000 - 50000));
  // A burst never loses more than it had.
  object.meter.lost_ticks = 300000;
  CHECK(object.stream.end_burst_at(1000000) == 0);
  CHECK(object.stream.end_burst_at(1200000) == measuring.tick_length.ns(200000));
}

TEST_CASE("stream: what is lost inside of a call that is told with its length shortens no burst") {
  Object object({.repeated = 0, .timed = 0, .clock = 0});
  object.meter.resumed_at = ticks();
  object.stream.begin_burst(0);
  const Entry entry = object.stream.enter_reading();
  object.meter.busy_ticks = entry.busy + 1000000;
  object.meter.lost_ticks = 500000;
  object.meter.resumed_at = entry.at + 3000000;
  Event event;
  object.stream.leave(event, entry, 1);
  CHECK(event.burst_ns == measuring.tick_length.ns(entry.busy));
  CHECK(event.call_ns == measuring.tick_length.ns(3000000));
  CHECK(object.stream.end_burst_at(object.meter.busy_ticks + 400000) == measuring.tick_length.ns(400000));
}

TEST_CASE("stream: nor is what the events within a burst took, at which the clock is not read") {
  Object object({.repeated = 70, .timed = 0, .clock = 0});
  object.meter.resumed_at = ticks();
  object.stream.begin_burst(0);
  // Repeat until the bursts have been seen to be short and the event is known: an interrupt may make one
  // burst long.
  std::uint32_t token = Stream::no_token;
  for (int k = 0; k < 1000 && !object.stream.expects(token); ++k) {
    object.stream.add(key, 0, make);
    token = object.stream.token_of_last();
  }
  const std::uint64_t later = object.stream.burst_began() + 10000000;
  const std::uint64_t before = object.stream.burst_ns(later);
  int repeated = 0;
  for (; repeated < 50 && object.stream.expects(token); ++repeated) object.repeat();
  CHECK(repeated > 0);
  const std::uint64_t after = object.stream.burst_ns(later);
  CHECK(before - after >= measuring.tick_length.ns(70 * static_cast<std::uint64_t>(repeated)) - 1);
  CHECK(before - after <= measuring.tick_length.ns(70 * static_cast<std::uint64_t>(repeated)) + 1);
}

TEST_CASE("stream: recording takes some time, reading the clock as well") {
  const PeRuntime runtime({});
  measuring.event_costs = {};
  const EventCosts costs = measure_event_costs();
  for (const std::uint64_t cost : {costs.repeated, costs.timed, costs.clock}) {
    CHECK(cost > 0);
    CHECK(ns_of(cost) < 1e6);
  }
}

TEST_CASE("stream: a call that waits as it did the last time needs nothing but its times") {
  Object object({.repeated = 0, .timed = 3000, .clock = 0});
  const auto wait = [&](std::uint64_t burst, std::uint64_t call, const EventKey& of) {
    const Entry entry = object.stream.enter();
    object.meter.busy_ticks += burst;
    object.meter.resumed_at += burst + call;
    const std::uint32_t token = Stream::own_token + static_cast<std::uint32_t>(of.second);
    if (object.put_call_again(token, entry)) return true;
    object.stream.add(of, 0, entry, make);
    object.stream.call_last(token);
    return false;
  };
  object.meter.resumed_at = 1;
  // An event is known by the events before it: none, one of the kind, two, and then the same once before.
  for (int k = 0; k < 4; ++k) CHECK(!wait(100000, 5000, key));
  for (int k = 0; k < 3; ++k) CHECK(wait(100000, 5000, key));
  CHECK(object.stream.burst_began() == object.meter.busy_ticks + 3000);
  CHECK(wait(200000, 10, key));
  CHECK(!wait(100000000, 5000, key));  // a surprise, from which something may have to be learned
  CHECK(object.stream.burst_began() == object.meter.busy_ticks + 3000);
  CHECK(wait(100000, 5000, key));
  CHECK(!wait(100000, 5000, {1, 2, 4}));
}

TEST_CASE("stream: of a short burst before such a call the times are told in the short way") {
  Object object({.repeated = 0, .timed = 3000, .clock = 0});
  object.meter.resumed_at = 1;
  constexpr std::uint32_t token = Stream::own_token + 3;
  const auto short_burst = static_cast<std::uint64_t>(100 / ns_per_tick());
  const auto wait = [&](std::uint64_t burst, std::uint64_t call) {
    const Entry entry = object.stream.enter();
    object.meter.busy_ticks += 3000 + burst;
    object.meter.resumed_at += 3000 + burst + call;
    if (object.put_call_again(token, entry)) return true;
    object.stream.add(key, 0, entry, make);
    object.stream.call_last(token);
    return false;
  };
  // The stream learns the event, its successor, and that its bursts are short.
  for (int k = 0; k < 5; ++k) wait(short_burst, 5000);
  for (int k = 0; k < 100; ++k) {
    CHECK(wait(short_burst, 5000));
    CHECK(object.stream.burst_began() == object.meter.busy_ticks + 3000);
  }
  // A long burst in between, and an event that waits for long.
  CHECK(wait(short_burst, TickLength::most_few + 1));
  const auto long_burst = static_cast<std::uint64_t>(1500 / ns_per_tick());
  CHECK(wait(long_burst, 5000));
  CHECK(wait(short_burst, 5000));
  CHECK(wait(short_burst, 5000));
}

TEST_CASE("stream: few ticks are as long in the short way of counting") {
  const PeRuntime runtime({});
  measuring.tick_length.measure();
  for (std::uint64_t ticks = 1; ticks <= TickLength::most_few; ticks += ticks / 3 + 1) {
    const std::uint64_t exact = measuring.tick_length.ns(ticks), few = measuring.tick_length.ns_of_few(ticks);
    CHECK(few <= exact + 1);
    CHECK(exact <= few + 1);
    CHECK(std::abs(static_cast<double>(few) - ns_of(ticks)) < 0.7);
  }
}

TEST_CASE("stream: one that does not wait, as the last time, needs nothing at all") {
  constexpr std::uint64_t much = std::uint64_t{1} << 40;  // ticks: no interrupt is as long
  Object object({.repeated = 0, .timed = much, .clock = 0});
  object.meter.resumed_at = ticks();
  object.stream.begin_burst(0);
  constexpr std::uint32_t token = Stream::own_token + 3;
  for (int k = 0; k < 5; ++k) {
    object.stream.add(key, 0, object.stream.enter(), make);
    object.stream.call_last(token);
  }
  const std::uint64_t began = object.stream.burst_began();
  CHECK(object.put_call_again(token, object.stream.enter()));
  CHECK(object.stream.burst_began() == began);
  CHECK(!object.put_call_again(token + 1, object.stream.enter()));
  // The stream reads the clock again when a batch is full; then a long burst shows.
  object.meter.busy_ticks += 4 * much;
  int again = 1;
  while (object.put_call_again(token, object.stream.enter())) REQUIRE(++again < 1000);
  CHECK(!object.put_call_again(token, object.stream.enter_reading()));
  for (int k = 0; k < 2; ++k) object.stream.add(key, 0, object.stream.enter(), make);
  CHECK(object.put_call_again(token, object.stream.enter()));
}

TEST_CASE("stream: a short burst hides no long one, and of long ones not many are believed") {
  Object object({});
  // Readings of the clock find that no time has passed.
  object.meter.busy_ticks = std::uint64_t{1} << 62;
  object.meter.resumed_at = ticks() + (std::uint64_t{1} << 61);
  object.stream.begin_burst(object.meter.busy_ticks);
  std::uint32_t token = Stream::no_token;
  // Returns true if an event did without the clock, before a call that waits.
  const auto round = [&](double burst_ns) {
    const bool repeats = object.stream.expects(token);
    if (!repeats) {
      object.stream.add(key, 0, make);
      token = object.stream.token_of_last();
      object.stream.begin_burst(object.meter.busy_ticks);
    } else {
      object.repeat();
    }
    const auto burst = static_cast<std::uint64_t>(burst_ns / ns_per_tick());
    const Entry entry = object.stream.enter();
    object.meter.busy_ticks += burst;
    object.meter.resumed_at += burst + 1000;
    object.stream.add({1, 2, 4}, 0, entry, make);
    return repeats;
  };
  for (int k = 0; k < 5; ++k) round(0);
  for (int k = 0; k < 200; ++k) CHECK(round(400));
  for (int time = 0; time < 3; ++time) {
    for (int k = 0; k < 32; ++k) CHECK(round(1500));  // no surprise, though the burst may belong to the event
    CHECK(!round(400));
    for (int k = 0; k < 200; ++k) CHECK(round(400));
  }
}

TEST_CASE("stream: a place that hid a long burst is watched, and trusted again when its bursts stay short") {
  constexpr std::uint64_t much = std::uint64_t{1} << 40;  // ticks: no interrupt is as long
  Object object({.repeated = 0, .timed = much, .clock = 0}, false);
  object.meter.resumed_at = ticks();
  object.stream.begin_burst(0);
  std::uint32_t token = Stream::no_token;
  const auto clock_is_read = [&] {
    if (object.stream.expects(token)) {
      object.repeat();
      return false;
    }
    object.stream.add(key, 0, make);
    token = object.stream.token_of_last();
    return true;
  };
  for (int k = 0; k < 10; ++k) clock_is_read();
  for (int time = 0; time < 5; ++time) {
    CHECK(!clock_is_read());
    // A long burst shows at another place, a call that waits, and the next one at this place, too.
    object.meter.busy_ticks += 4 * much;
    const Entry entry{0, object.meter.busy_ticks, object.meter.resumed_at};
    object.meter.resumed_at = ticks();
    object.stream.add({1, 2, 4}, 0, entry, make);
    object.meter.busy_ticks += 4 * much;
    CHECK(clock_is_read());
    int reads = 0;
    for (int k = 0; k < 30; ++k) reads += clock_is_read();
    CHECK(reads == 5);  // four times while the event is watched, and once more
  }
}

TEST_CASE("stream: a token is that of an event with its bytes, at its place, and of no other on any PE") {
  Object object({.repeated = 0, .timed = 0, .clock = 0});
  object.meter.resumed_at = ticks();
  object.stream.begin_burst(0);
  const auto token_after = [&](Stream& stream, const EventKey& of, std::uint64_t bytes) {
    stream.add(of, bytes, make);
    return stream.token_of_last();
  };
  // Repeats an event until it has a token; an interrupt that makes a burst long delays that.
  const auto learned = [&](Stream& stream, const EventKey& of, std::uint64_t bytes) {
    std::uint32_t token = Stream::no_token;
    for (int k = 0; k < 1000 && !stream.expects(token); ++k) token = token_after(stream, of, bytes);
    CHECK(stream.expects(token));
    return token;
  };
  CHECK(!object.stream.expects(Stream::no_token));
  const std::uint32_t token = learned(object.stream, key, 8);
  CHECK(!object.stream.expects(Stream::no_token));
  // An event with other bytes is another event.
  token_after(object.stream, key, 9);
  const std::uint32_t other = learned(object.stream, key, 9);
  CHECK(other != token);
  CHECK(!object.stream.expects(token));
  // On another PE the object has other events first.
  object.stream.leave_progress();
  CHECK(object.of_object == nullptr);
  Stream there(0, object.of_object, object.progress, object.meter, true);
  const std::uint32_t later = learned(there, {1, 2, 4}, 8);
  CHECK(later != token);
  CHECK(later != other);
  CHECK(!there.expects(other));
}
