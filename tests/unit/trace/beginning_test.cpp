// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/trace_beginning.hpp"

#include <doctest/doctest.h>

using namespace skein::trace;

namespace {

Event event(EventKind kind, std::uint64_t burst_ns) {
  Event result;
  result.kind = kind;
  result.burst_ns = burst_ns;
  return result;
}

// Rank r computes 10 r + 1, 10 r + 2, ... ns before each of its sync points, and 7 ns after the last.
Trace trace_of(const std::vector<std::uint64_t>& points) {
  Header header;
  header.program = "./app";
  TraceBuilder builder(header, points.size());
  for (ObjectIndex rank = 0; rank < points.size(); ++rank) {
    for (std::uint64_t k = 1; k <= points[rank]; ++k)
      builder.add(rank, event(EventKind::sync, std::uint64_t{10} * rank + k));
    builder.add(rank, event(EventKind::end, 7));
  }
  return std::move(builder).finish();
}

std::vector<std::pair<EventKind, std::uint64_t>> bursts(const Trace& trace, ObjectIndex object) {
  std::vector<std::pair<EventKind, std::uint64_t>> result;
  Cursor cursor = trace.events(object);
  while (const Event* each = cursor.next()) result.emplace_back(each->kind, each->burst_ns);
  return result;
}

}  // namespace

TEST_CASE("beginning: the run ends where the sync point was, and what came before is all there") {
  const Trace cut = beginning(trace_of({4, 4}), 3);
  CHECK(cut.object_count() == 2);
  CHECK(cut.complete());
  CHECK(cut.header().program == "./app");
  using enum EventKind;
  CHECK(bursts(cut, 0) == std::vector<std::pair<EventKind, std::uint64_t>>{{sync, 1}, {sync, 2}, {end, 3}});
  CHECK(bursts(cut, 1) ==
        std::vector<std::pair<EventKind, std::uint64_t>>{{sync, 11}, {sync, 12}, {end, 13}});
}

TEST_CASE("beginning: what has fewer sync points stays whole") {
  const Trace cut = beginning(trace_of({4, 1}), 3);
  using enum EventKind;
  CHECK(bursts(cut, 1) == std::vector<std::pair<EventKind, std::uint64_t>>{{sync, 11}, {end, 7}});
}

namespace {

// A native program on one PE, which is object 0. It makes object 1, which passes two sync points. Object 1
// makes 2, whose number it does not know, splits off 3 after the first point, and ends after the second. 2
// passes three points, 3 none. 4 stands for no element.
Trace native_trace() {
  Header header;
  header.native = true;
  header.labels = {"PE 0", "A[0]", "B[0]", "A[1]", ""};
  TraceBuilder builder(header, header.labels.size());
  (void)builder.name("A::step");
  const auto of = [](EventKind kind, std::int32_t partner, std::uint64_t serial = 0) {
    Event result = event(kind, 0);
    result.partner = partner;
    result.serial = serial;
    return result;
  };
  using enum EventKind;
  const Event message = of(call, kAny), done = event(finish, 5), point = event(sync, 10),
              last = event(end, 0);
  const auto add = [&](ObjectIndex object, const std::vector<Event>& events) {
    for (const Event& each : events) builder.add(object, each);
  };
  Event begin = of(execute, kAny), resumed = begin;
  begin.what = static_cast<std::uint8_t>(Cause::begin);
  resumed.what = static_cast<std::uint8_t>(Cause::resumed);
  add(0, {begin, message, of(create, 1), done, last});
  add(1,
      {of(execute, 0, 1), message, done, point, resumed, of(create, kAny), done, of(split, 3), point, last});
  add(2, {of(execute, 1, 1), done, point, point, point, last});
  builder.add(3, last);
  return std::move(builder).finish();
}

}  // namespace

TEST_CASE("beginning: the sync points of a native program are those that the job passes") {
  CHECK(first_points(native_trace()) == std::vector<std::uint64_t>{0, 0, 1, 1, 0});
  CHECK(sync_points(native_trace()) == 4);  // B[0] begins after the first
  CHECK(first_points(trace_of({4, 4})) == std::vector<std::uint64_t>{0, 0});
}

TEST_CASE("beginning: a native program has none") {
  CHECK_THROWS_WITH_AS(beginning(native_trace(), 1),
                       "a native program's run has no beginning that could be cut out; take the whole",
                       TraceError);
}

TEST_CASE("beginning: the number of sync points is that which all objects pass") {
  CHECK(sync_points(trace_of({4, 4})) == 4);
  CHECK(sync_points(trace_of({4, 2, 3})) == 2);
  CHECK(sync_points(trace_of({0, 4})) == 0);
  CHECK(sync_points(Trace()) == 0);
}
