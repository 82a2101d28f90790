// SPDX-License-Identifier: Apache-2.0
#include "lb/report/trace_waits.hpp"

#include <doctest/doctest.h>

using namespace skein;
using trace::EventKind;

TEST_CASE("report: a wait has its call, whom it is for, and how many bytes") {
  trace::TraceBuilder builder(trace::Header{}, 3);
  const auto add = [&](trace::Event event) { builder.add(0, event); };
  const std::uint64_t last[] = {0}, both[] = {1, 2};
  add({.kind = EventKind::receive, .starts_request = true, .partner = 1, .bytes = 1000});
  add({.kind = EventKind::receive, .starts_request = true, .partner = trace::kAny, .bytes = 0});
  add({.kind = EventKind::send, .starts_request = true, .partner = 2, .bytes = 50});
  add({.kind = EventKind::wait, .list = last, .call_ns = 10});
  const std::uint64_t wanted_any[] = {1};
  add({.kind = EventKind::matched, .partner = 2, .bytes = 77, .list = wanted_any});
  add({.kind = EventKind::wait, .list = both, .call_ns = 20});
  add({.kind = EventKind::receive, .partner = 1, .bytes = 8, .call_ns = 30});
  add({.kind = EventKind::collective,
       .what = static_cast<std::uint8_t>(trace::Collective::allreduce),
       .bytes = 16,
       .call_ns = 40});
  add({.kind = EventKind::end});
  for (const trace::ObjectIndex other : {1u, 2u}) builder.add(other, trace::Event{});
  const trace::Trace trace = std::move(builder).finish();
  report::TraceWaits waits(trace);
  trace::Cursor cursor = trace.events(0);
  std::uint64_t now = 0;
  while (const trace::Event* const event = cursor.next()) {
    waits.add(0, *event, now, now + event->call_ns);
    now += event->call_ns;
  }
  report::Run run;
  waits.finish(run);
  CHECK(run.wait_names == std::vector<std::string>{"MPI_Wait to rank 2, 50 B",
                                                   "MPI_Waitall from rank 2, 77 B; from rank 1, 1000 B",
                                                   "MPI_Recv from rank 1, 8 B", "MPI_Allreduce of 16 B"});
  REQUIRE(run.waits.size() == 4);
  CHECK(run.waits[1].begin_ns == 10);
  CHECK(run.waits[1].end_ns == 30);
}
