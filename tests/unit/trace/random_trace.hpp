// SPDX-License-Identifier: Apache-2.0
// Streams of events for tests, and their comparison.
#pragma once
#include <doctest/doctest.h>

#include <cstdint>
#include <deque>
#include <vector>

#include "lb/kernel/random.hpp"
#include "skein/lb/trace.hpp"

namespace skein::trace::test {

// An event that owns what it points to.
struct OwnedEvent {
  Event event;
  std::vector<std::uint64_t> list;
  std::vector<std::int64_t> counters;

  Event view() const {
    Event result = event;
    result.list = list;
    result.counters = counters;
    return result;
  }
};

// Returns a number of random length, up to 64 bits.
inline std::uint64_t any_number(lb::Random& random) { return random.bits() >> random.below(64); }

// Returns a stream with all kinds of numbers: objects, communicator 0, and waits for requests that were
// started.
inline std::vector<OwnedEvent> random_stream(lb::Random& random, std::uint32_t objects, std::size_t events,
                                             std::size_t counters = 0) {
  std::vector<OwnedEvent> stream;
  std::uint64_t started = 0;
  for (std::size_t k = 0; k < events; ++k) {
    OwnedEvent next;
    Event& event = next.event;
    if (!stream.empty() && random.below(2))
      next = stream[random.below(static_cast<std::uint32_t>(stream.size()))];
    else
      switch (random.below(5)) {
        case 0:
          event.kind = EventKind::send;
          event.what = static_cast<std::uint8_t>(random.below(4));
          event.starts_request = random.below(2);
          event.partner = static_cast<std::int32_t>(random.below(objects));
          event.tag = static_cast<std::int32_t>(random.bits());
          break;
        case 1:
          event.kind = EventKind::receive;
          event.starts_request = true;
          event.tag = kAny;
          break;
        case 2:
          event.kind = EventKind::wait;
          if (started) next.list.assign(random.below(20), any_number(random) % started);
          break;
        case 3:
          event.kind = EventKind::collective;
          event.what = static_cast<std::uint8_t>(Collective::alltoallv);
          for (std::uint32_t m = 0; m < objects; ++m) next.list.push_back(any_number(random));
          break;
        default:
          event.kind = EventKind::sync;
      }
    if (random.below(2)) event.bytes = any_number(random);
    event.burst_ns = random.below(3) ? any_number(random) : 0;
    event.call_ns = random.below(3) ? any_number(random) : 0;
    event.serial = random.below(4) ? 0 : any_number(random);
    next.counters.clear();
    for (std::size_t c = 0; c < counters; ++c)
      next.counters.push_back(static_cast<std::int64_t>(any_number(random)) * (random.below(2) ? 1 : -1));
    started += event.starts_request;
    stream.push_back(std::move(next));
  }
  return stream;
}

inline bool same(const Event& a, const Event& b) {
  return a.kind == b.kind && a.what == b.what && a.starts_request == b.starts_request &&
         a.communicator == b.communicator && a.partner == b.partner && a.tag == b.tag && a.bytes == b.bytes &&
         a.serial == b.serial &&
         std::vector(a.list.begin(), a.list.end()) == std::vector(b.list.begin(), b.list.end()) &&
         a.burst_ns == b.burst_ns && a.call_ns == b.call_ns &&
         std::vector(a.counters.begin(), a.counters.end()) ==
             std::vector(b.counters.begin(), b.counters.end());
}

inline void check_stream(const Trace& trace, ObjectIndex object, const std::vector<OwnedEvent>& expected) {
  REQUIRE(trace.event_count(object) == expected.size());
  Cursor cursor = trace.events(object);
  std::size_t wrong = 0;
  for (const OwnedEvent& event : expected) {
    const Event* const found = cursor.next();
    REQUIRE(found);
    wrong += !same(*found, event.view());
  }
  CHECK(wrong == 0);
  CHECK(!cursor.next());
}

}  // namespace skein::trace::test
