// SPDX-License-Identifier: Apache-2.0
// Writes a trace with regions and a counter, from formulas: 4 ranks on 2 PEs, 10 steps of 5 ms. The region
// "step" covers each step; inside it rank r is in "solve" for r + 1 ms, computes, and counts two events a
// nanosecond if it is even and one if it is odd; then it is in "halo" for the rest, and waits.
#include <string>

#include "skein/lb/trace.hpp"

using namespace skein::trace;

namespace {

constexpr std::uint64_t ms = 1'000'000;

class Rank {
 public:
  Rank(TraceBuilder& builder, ObjectIndex rank) : builder_(builder), rank_(rank) {}
  void region(EventKind kind, std::uint64_t name, std::uint64_t burst_ns = 0) {
    Event event;
    event.kind = kind;
    event.list = {&name, 1};
    add(event, burst_ns);
  }
  void add(Event event, std::uint64_t burst_ns = 0) {
    const auto count = static_cast<std::int64_t>(burst_ns * (rank_ % 2 == 0 ? 2 : 1));
    event.burst_ns = burst_ns;
    event.counters = {&count, 1};
    builder_.add(rank_, event);
  }

 private:
  TraceBuilder& builder_;
  ObjectIndex rank_;
};

}  // namespace

int main(int, char** argv) {
  Header header;
  header.pes = 2;
  header.placement = {0, 0, 1, 1};
  header.counters = {"PAPI_TOT_INS"};
  TraceBuilder builder(std::move(header), 4);
  const std::uint64_t step = builder.name("step"), solve = builder.name("solve"), halo = builder.name("halo");
  for (ObjectIndex r = 0; r < 4; ++r) {
    Rank rank(builder, r);
    for (int k = 0; k < 10; ++k) {
      rank.region(EventKind::region_begin, step);
      rank.region(EventKind::region_begin, solve);
      rank.region(EventKind::region_end, solve, (r + 1) * ms);
      rank.region(EventKind::region_begin, halo);
      Event barrier;
      barrier.kind = EventKind::collective;
      barrier.what = static_cast<std::uint8_t>(Collective::barrier);
      barrier.call_ns = (4 - r) * ms;
      rank.add(barrier);
      rank.region(EventKind::region_end, halo);
      rank.region(EventKind::region_end, step);
      Event sync;
      sync.kind = EventKind::sync;
      rank.add(sync);
    }
    rank.add(Event{});
  }
  write_trace(std::move(builder).finish(), argv[1]);
}
