// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "skein/lb/as_recorded.hpp"
#include "tests/unit/trace_formats/program.hpp"

namespace skein::trace::test {

// Returns a trace as skein simulate --trace writes it. A[0] has two executions, of 1 and 2 us, which call
// A[1] each; the second was played first. A[1], whose executions take 4 us each, waits for both.
inline Trace played_elements() {
  Header header;
  header.native = true;
  header.pes = 1;
  header.labels = {"PE 0", "A[0]", "A[1]"};
  Program program(3, header);
  const auto step = static_cast<std::int32_t>(program.builder().name("A::step"));
  const auto because = [](Cause cause) { return static_cast<std::uint8_t>(cause); };
  for (const std::uint64_t us : {1, 2}) {
    program[1].add({.kind = EventKind::execute, .what = because(Cause::quiescence), .tag = step});
    program[1].compute(us * 1000).add({.kind = EventKind::call, .partner = 2, .tag = step, .bytes = 8});
    program[1].add({.kind = EventKind::finish});
  }
  for (const std::uint64_t serial : {0, 1}) {
    program[2].add({.kind = EventKind::execute,
                    .what = because(Cause::message),
                    .partner = 1,
                    .tag = step,
                    .serial = serial});
    program[2].compute(4000).add({.kind = EventKind::finish});
  }
  simulate::Timeline timeline;
  timeline.pes = 1;
  timeline.bursts = {
      {1, 0, 0, 2000, 4}, {1, 0, 2000, 3000, 1}, {2, 0, 3000, 7000, 1}, {2, 0, 7000, 11000, 3}};
  return simulate::as_recorded(std::move(program).finish(), timeline, "by hand");
}

}  // namespace skein::trace::test
