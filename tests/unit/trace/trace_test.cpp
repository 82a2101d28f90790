// SPDX-License-Identifier: Apache-2.0
// Traces in memory.
#include "skein/lb/trace.hpp"

#include <doctest/doctest.h>

#include "skein/lb/trace_varint.hpp"
#include "skein/lb/trace_writer.hpp"
#include "tests/unit/lb/scratch_folder.hpp"
#include "tests/unit/trace/random_trace.hpp"

using namespace skein::trace;
using namespace skein::trace::test;
using skein::lb::test::ScratchFolder;

namespace {

template <typename Make>
std::string error_of(Make make) {
  try {
    make();
  } catch (const TraceError& error) {
    return error.what();
  }
  return "no error";
}

Event send_to(std::int32_t partner) {
  Event event;
  event.kind = EventKind::send;
  event.partner = partner;
  return event;
}

}  // namespace

TEST_CASE("trace: a number takes a byte for each seven bits, and comes back") {
  std::uint8_t bytes[16] = {};
  for (unsigned bits = 0; bits <= 64; ++bits)
    for (std::uint64_t value : {bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1,
                                bits == 0 ? 0 : std::uint64_t{1} << (bits - 1)}) {
      CAPTURE(value);
      const unsigned expected = bits > 56 ? 9 : bits == 0 ? 1 : (bits + 6) / 7;
      CHECK(put_varint(bytes, value) - bytes == expected);
      std::uint64_t again = 1;
      CHECK(get_varint(bytes, again) - bytes == expected);
      CHECK(again == value);
    }
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-1}, INT64_MIN, INT64_MAX})
    CHECK(unzigzag(zigzag(value)) == value);
}

TEST_CASE("trace: a trace without objects is one") {
  const Trace trace;
  CHECK(trace.object_count() == 0);
  CHECK(trace.communicators().size() == 1);
  CHECK(TraceBuilder({}, 0).finish().object_count() == 0);
}

TEST_CASE("trace: events come back as they were added") {
  for (const std::size_t counters : {0, 2}) {
    skein::lb::Random random(7 + counters);
    constexpr std::uint32_t kObjects = 5;
    Header header;
    header.counters.resize(counters);
    TraceBuilder builder(header, kObjects);
    std::vector<std::vector<OwnedEvent>> streams;
    for (ObjectIndex object = 0; object < kObjects; ++object)
      streams.push_back(random_stream(random, kObjects, object * 1000, counters));
    for (ObjectIndex object = 0; object < kObjects; ++object)
      for (const OwnedEvent& event : streams[object]) builder.add(object, event.view());
    const Trace trace = std::move(builder).finish();
    REQUIRE(trace.object_count() == kObjects);
    for (ObjectIndex object = 0; object < kObjects; ++object) check_stream(trace, object, streams[object]);
    const Trace copy = trace;
    check_stream(copy, 1, streams[1]);
  }
}

TEST_CASE("trace: what is put down by its shape is what was added") {
  const ScratchFolder folder;
  Header header;
  header.placement.resize(2);
  TraceFile file = TraceFile::create(folder / "t", header);
  // More shapes than a byte tells apart; each with and without times.
  Encoder encoder;
  std::vector<std::size_t> shapes;
  std::vector<Event> expected;
  const auto add = [&](Event event) {
    expected.push_back(event);
    return encoder.add(event);
  };
  for (std::uint32_t k = 0; k < 400; ++k) {
    Event event = send_to(1);
    event.tag = static_cast<std::int32_t>(k);
    event.burst_ns = k % 2 * (k % 4 == 1 ? Batch::most_first - k : UINT32_MAX - k);
    event.call_ns = k % 3 * (k % 5 ? 100 : Batch::most_second / 2);
    const std::size_t shape = add(event);
    REQUIRE(shape < 400);
    shapes.push_back(shape);
  }
  const auto put_all = [&] {
    Batch batch;
    encoder.begin(batch);
    const auto begin_anew = [&] {
      encoder.begin(batch);
      CHECK(batch.empty());
    };
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const auto burst_ns = static_cast<std::uint32_t>(expected[k].burst_ns);
      const auto call_ns = static_cast<std::uint32_t>(expected[k].call_ns);
      if (burst_ns && call_ns && burst_ns <= Batch::most_first) {
        batch.numbers(burst_ns, call_ns);
      } else {
        if (burst_ns) batch.number(burst_ns);
        if (call_ns) batch.number(call_ns);
      }
      if (shapes[k] < Batch::shapes) {
        batch.put(static_cast<std::uint8_t>(shapes[k]));
        CHECK(!batch.empty());
        if (!batch.full()) continue;
        encoder.end(batch);
      } else {
        encoder.end(batch);
        encoder.add_again(shapes[k]);
      }
      begin_anew();
    }
    encoder.end(batch);
  };
  for (int k = 0; k < 2; ++k) {
    put_all();
    for (int i = 0; i < 400; ++i) expected.push_back(expected[static_cast<std::size_t>(i)]);
  }
  CHECK(encoder.events() == 1200);
  // An event that has other numbers as well cannot use this form.
  Event sync;
  sync.kind = EventKind::sync;
  CHECK(add(sync) == Encoder::unknown_shape);
  file.add(0, 0, encoder);
  CHECK(encoder.shape_count() == 401);
  put_all();  // shapes last
  file.add(0, 1, encoder);
  file.end();
  for (int i = 0; i < 400; ++i) expected.push_back(expected[static_cast<std::size_t>(i)]);
  const Trace trace = read_trace(folder / "t");
  Cursor cursor = trace.events(0);
  for (const Event& event : expected) {
    const Event* const read = cursor.next();
    REQUIRE(read);
    CHECK(read->kind == event.kind);
    CHECK(read->tag == event.tag);
    CHECK(read->burst_ns == event.burst_ns);
    CHECK(read->call_ns == event.call_ns);
  }
  CHECK(!cursor.next());
}

TEST_CASE("trace: repetitions take few bytes in memory") {
  TraceBuilder builder({}, 2);
  constexpr int kSteps = 10000;
  for (int step = 0; step < kSteps; ++step) {
    for (int message = 0; message < 3; ++message) {  // the same event three times, and then another one
      Event event = send_to(1);
      event.bytes = 1000;
      event.burst_ns = 100;
      builder.add(0, event);
    }
    Event event;
    event.kind = EventKind::sync;
    event.bytes = 5000000;  // four bytes
    event.burst_ns = 1000;  // two
    builder.add(0, event);
  }
  const Trace trace = std::move(builder).finish();
  CHECK(trace.event_count(0) == 4 * kSteps);
  // Each event has an index; the bursts of sends take one byte, those of sync points two.
  CHECK(trace.memory_bytes() < kSteps * (4 + 3 + 2 + 4) + 2000);
}

TEST_CASE("trace: names have one number each, communicators rise, the world is the first") {
  TraceBuilder builder({}, 4);
  CHECK(builder.name("a") == 0);
  CHECK(builder.name("b") == 1);
  CHECK(builder.name("a") == 0);
  builder.add(Communicator{7, {3, 1}, {}});
  builder.add(Communicator{5, {0}, {2}});
  const Trace trace = std::move(builder).finish();
  CHECK(trace.names().size() == 2);
  REQUIRE(trace.communicators().size() == 3);
  CHECK(trace.communicator(0).members == std::vector<ObjectIndex>{0, 1, 2, 3});
  CHECK(trace.communicators()[1].id == 5);
  CHECK(trace.communicator(7).members == std::vector<ObjectIndex>{3, 1});
  CHECK(error_of([&] { trace.communicator(6); }) == "the trace has no communicator 6");
}

TEST_CASE("trace: what does not exist is refused") {
  const auto error_of_event = [](const Event& event) {
    return error_of([&] {
      TraceBuilder builder({}, 3);
      builder.add(1, event);
      std::move(builder).finish();
    });
  };
  CHECK(error_of_event(send_to(2)) == "no error");
  CHECK(error_of_event(send_to(3)) == "the trace: object 1: an event with object 3, but there are 3");
  CHECK(error_of_event(send_to(-2)) == "the trace: object 1: an event with object -2, but there are 3");
  Event event;
  event.kind = EventKind::collective;
  event.communicator = 4;
  CHECK(error_of_event(event) == "the trace: object 1: an event of communicator 4, which is defined nowhere");
  event = {};
  event.kind = EventKind::wait;
  const std::uint64_t requests[] = {0};
  event.list = requests;
  CHECK(error_of_event(event) ==
        "the trace: object 1, event 0: it waits for the request started 0 before the last one, but it has "
        "started 0");
  event.kind = EventKind::region_begin;
  CHECK(error_of_event(event) == "the trace: object 1: a region has the name no. 0, but there are 0");
  CHECK(error_of([] { TraceBuilder({}, 3).add(3, {}); }) == "the trace has no object 3");
  CHECK(error_of([] {
          TraceBuilder builder({}, 3);
          builder.add(Communicator{1, {3}, {}});
          std::move(builder).finish();
        }) == "the trace: communicator 1 has the member 3, but there are 3 objects");
}
