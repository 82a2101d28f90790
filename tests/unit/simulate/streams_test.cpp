// SPDX-License-Identifier: Apache-2.0
// The simulator reads the same events from a stream as its cursor.
#include "lb/simulate/streams.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "lb/kernel/random.hpp"

using namespace skein;
using simulate::Reading;
using simulate::Streams;
using trace::Event;
using trace::EventKind;

namespace {

constexpr trace::ObjectIndex ranks = 5;

// Makes a trace with so many shapes that their indices need more than a byte, with and without numbers and
// counters.
trace::Trace any_trace() {
  trace::Header header;
  header.counters = {"A", "B"};
  trace::TraceBuilder builder(header, ranks);
  lb::Random random(3);
  for (trace::ObjectIndex rank = 0; rank < ranks; ++rank) {
    for (int i = 0; i < 4000; ++i) {
      Event event;
      const std::int64_t counters[] = {static_cast<std::int64_t>(random.bits() >> 20), -i};
      event.burst_ns = random.below(3) == 0 ? 0 : random.bits() >> random.below(60);
      event.call_ns = random.below(2) == 0 ? 0 : random.below(1000);
      event.partner = static_cast<std::int32_t>(random.below(ranks));
      event.tag = static_cast<std::int32_t>(random.below(rank == 0 ? 400 : 3));
      if (random.below(2) == 0) event.counters = counters;
      event.kind = random.below(2) == 0 ? EventKind::send : EventKind::receive;
      event.starts_request = random.below(2) == 0;
      event.bytes = random.below(2) == 0 ? 1024 : random.below(100000);
      builder.add(rank, event);
      if (!event.starts_request || random.below(2) == 0) continue;
      const std::uint64_t latest[] = {0};
      builder.add(rank, {.kind = EventKind::wait, .list = latest, .burst_ns = random.below(50)});
    }
    builder.add(rank, {.kind = EventKind::end});
  }
  return std::move(builder).finish();
}

}  // namespace

TEST_CASE("streams: what is read of each event is what its cursor tells") {
  const trace::Trace trace = any_trace();
  simulate::TagPlaces places;
  Streams streams(trace, places);
  std::vector<Streams::Position> at(ranks);
  std::vector<trace::Cursor> cursors;
  for (trace::ObjectIndex rank = 0; rank < ranks; ++rank) cursors.push_back(trace.events(rank));
  lb::Random random(4);
  for (std::vector<bool> ended(ranks);
       std::ranges::count(ended, true) < static_cast<std::ptrdiff_t>(ranks);) {
    const auto rank = static_cast<trace::ObjectIndex>(random.below(ranks));
    const Event* const expected = cursors[rank].next();
    REQUIRE(streams.has_event(rank, at[rank]) == (expected != nullptr));
    ended[rank] = !expected;
    if (!expected) continue;
    Streams::Place after;
    (void)streams.read(rank, at[rank], after);  // as often as wanted
    const Event event = streams.read(rank, at[rank], after).event();
    at[rank].place = after;
    REQUIRE(event.kind == expected->kind);
    REQUIRE(event.what == expected->what);
    REQUIRE(event.starts_request == expected->starts_request);
    REQUIRE(event.communicator == expected->communicator);
    REQUIRE(event.partner == expected->partner);
    REQUIRE(event.tag == expected->tag);
    REQUIRE(event.bytes == expected->bytes);
    REQUIRE(event.burst_ns == expected->burst_ns);
    REQUIRE(event.call_ns == expected->call_ns);
    REQUIRE(std::ranges::equal(event.list, expected->list));
  }
}
