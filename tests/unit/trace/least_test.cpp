// SPDX-License-Identifier: Apache-2.0
// Several recordings of a run merged into one, worked out by hand.
#include "skein/lb/trace_beginning.hpp"

#include <doctest/doctest.h>

#include "tests/unit/trace/events.hpp"

using namespace skein::trace;
using namespace skein::trace::test;

namespace {

// Returns a recording of two ranks that exchange a message and come to a sync point; `bursts` are those of
// the first.
Trace recording(std::vector<std::uint64_t> bursts, std::uint64_t bytes = 8, std::uint64_t memory = 1000) {
  Streams streams(2);
  streams[0] = {after(bursts[0], ireceive(1, bytes)), after(bursts[1], isend(1, bytes)),
                after(bursts[2], wait_for(2)), after(bursts[3], sync_point(memory)),
                after(bursts[4], end_of_object(0))};
  streams[1] = {ireceive(0, bytes), isend(0, bytes), after(100, wait_for(2)), sync_point(memory),
                end_of_object(0)};
  return trace_of(streams);
}

std::vector<std::uint64_t> bursts_of(const Trace& trace, ObjectIndex object) {
  std::vector<std::uint64_t> bursts;
  Cursor cursor = trace.events(object);
  while (const Event* const event = cursor.next()) bursts.push_back(event->burst_ns);
  return bursts;
}

std::string error_of(const std::vector<Trace>& recordings) {
  try {
    least(recordings);
  } catch (const TraceError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("least: of each stretch between calls that may wait the shortest, as it was recorded") {
  using Bursts = std::vector<std::uint64_t>;
  // The sums up to the wait are 60, 42 and 50. The first burst alone is shortest in the third recording,
  // where a part of it was added to the second burst.
  const std::vector<Trace> recordings{recording({10, 20, 30, 7, 5}), recording({12, 20, 10, 9, 4}),
                                      recording({0, 40, 10, 8, 6}, 8, 2000)};
  const Trace joined = least(recordings);
  CHECK(bursts_of(joined, 0) == Bursts{12, 20, 10, 7, 4});
  CHECK(bursts_of(joined, 1) == Bursts{0, 0, 100, 0, 0});
  Cursor cursor = joined.events(0);
  CHECK(cursor.next()->starts_request);
  CHECK(cursor.next()->partner == 1);
  const Event* const wait = cursor.next();
  CHECK(std::vector(wait->list.begin(), wait->list.end()) == std::vector<std::uint64_t>{0, 1});
  CHECK(cursor.next()->bytes == 1000);
  CHECK(joined.complete());
}

TEST_CASE("least: recordings that are not of the same run are refused") {
  const Trace one = recording({10, 20, 30, 7, 5});
  CHECK(
      error_of({one, recording({1, 1, 1, 1, 1}, 9)}) ==
      "object 0, event 0: the first recording and number 2 differ; they must be of the same run, which does "
      "the same each time");
  Streams longer(2);
  longer[0] = {end_of_object(0)};
  longer[1] = {end_of_object(0)};
  CHECK(error_of({one, one, trace_of(longer)})
            .starts_with("object 0, event 0: the first recording and number 3"));
  longer.push_back({end_of_object(0)});
  CHECK(error_of({one, trace_of(longer)}) ==
        "recording number 2 has 3 ranks, and the first 2; they must be of the same run");
  Header header;
  header.native = true;
  CHECK(error_of({trace_of({{}}, {}, header)}).starts_with("recording number 1 is of a native program"));
}
