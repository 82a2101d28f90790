// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

#include "skein/lb/as_recorded.hpp"
#include "skein/lb/report.hpp"

using namespace skein;
using trace::EventKind;

namespace {

report::Run run_of(trace::TraceBuilder builder) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("skein_path_" + std::to_string(getpid()) + ".sktrace"))
          .string();
  trace::write_trace(std::move(builder).finish(), path);
  report::Report page;
  report::add_file(page, path, simulate::play_as_recorded);
  std::filesystem::remove(path);
  return page.runs.at(0);
}

trace::Header on_pes(std::uint32_t pes, std::vector<trace::PeIndex> placement) {
  trace::Header header;
  header.pes = pes;
  header.placement = std::move(placement);
  return header;
}

}  // namespace

TEST_CASE("report: the critical path and the messages of a recorded run, without a simulation") {
  // Rank 0 computes 50 us, 40 of them in "solve", and sends; rank 1 computes 10 us, waits 60 for the message,
  // and computes 20 more. Then both meet at the end: the message took 20 us, and rank 0 waits for 40.
  trace::TraceBuilder builder(on_pes(2, {0, 1}), 2);
  const std::uint64_t solve[] = {builder.name("solve")};
  builder.add(0, {.kind = EventKind::region_begin, .list = solve, .burst_ns = 10'000});
  builder.add(0, {.kind = EventKind::region_end, .list = solve, .burst_ns = 40'000});
  builder.add(0, {.kind = EventKind::send, .partner = 1, .bytes = 8});
  builder.add(0, {.kind = EventKind::collective, .call_ns = 40'000});
  builder.add(0, {});
  builder.add(1,
              {.kind = EventKind::receive, .partner = 0, .bytes = 8, .burst_ns = 10'000, .call_ns = 60'000});
  builder.add(1, {.kind = EventKind::collective, .burst_ns = 20'000});
  builder.add(1, {});
  const report::Run run = run_of(std::move(builder));
  CHECK(run.seconds == doctest::Approx(90e-6));
  REQUIRE(run.path);
  CHECK(run.path->compute == 70'000);
  CHECK(run.path->transfer == 20'000);
  CHECK(run.path->collective + run.path->between + run.path->waiting + run.path->balancing == 0);
  CHECK(run.path->of_object == std::vector<simulate::Ns>{50'000, 20'000});
  CHECK(run.path->of_region ==
        std::vector<std::pair<std::string, simulate::Ns>>{{"solve", 40'000}, {"", 30'000}});
  REQUIRE(run.flights.count == 1);
  const simulate::Flight& flight = run.flights.longest.at(0);
  CHECK(flight.sent.object == 0);
  CHECK(flight.sent.at == 50'000);
  CHECK(flight.received.object == 1);
  CHECK(flight.received.at == 70'000);
  CHECK(flight.waited == 60'000);
}

TEST_CASE("report: the path goes through each of several calls in a row, and through who shares a PE") {
  // Ranks 0 and 1 are on PE 0, 2 on PE 1. Rank 1 computes its 30 us after rank 0's 20 and sends to 2, which
  // only passes the message on to 0; rank 0 then computes 5 us.
  trace::TraceBuilder builder(on_pes(2, {0, 0, 1}), 3);
  builder.add(0, {.kind = EventKind::send, .partner = 2, .tag = 7, .burst_ns = 20'000});
  builder.add(0, {.kind = EventKind::receive, .partner = 2, .call_ns = 40'000});
  builder.add(0, {.kind = EventKind::end, .burst_ns = 5'000});
  builder.add(1, {.kind = EventKind::receive, .partner = 1, .call_ns = 20'000});
  builder.add(1, {.kind = EventKind::send, .partner = 2, .burst_ns = 30'000});
  builder.add(1, {});
  builder.add(2, {.kind = EventKind::receive, .partner = 1, .call_ns = 53'000});
  builder.add(2, {.kind = EventKind::send, .partner = 0});
  builder.add(2, {.kind = EventKind::receive, .partner = 0, .tag = 7});
  builder.add(2, {});
  const report::Run run = run_of(std::move(builder));
  REQUIRE(run.path);
  CHECK(run.path->of_object == std::vector<simulate::Ns>{25'000, 30'000, 0});
  CHECK(run.path->transfer == 10'000);
  CHECK(run.path->waiting == 0);
}

TEST_CASE("report: a member of a broadcast waits for its root, and the root of a reduction for all") {
  // Rank 1 computes 30 us and is the root of a broadcast; rank 0 arrives at 10 us, rank 2 at 90. Then rank 0
  // is the root of a reduction.
  trace::TraceBuilder builder(on_pes(3, {0, 1, 2}), 3);
  const auto what = [](trace::Collective one) { return static_cast<std::uint8_t>(one); };
  const std::uint64_t before[] = {10'000, 30'000, 90'000}, called[] = {21'000, 0, 0};
  for (trace::ObjectIndex rank = 0; rank < 3; ++rank) {
    builder.add(rank, {.kind = EventKind::collective,
                       .what = what(trace::Collective::bcast),
                       .partner = 1,
                       .burst_ns = before[rank],
                       .call_ns = called[rank]});
    builder.add(rank, {.kind = EventKind::collective,
                       .what = what(trace::Collective::reduce),
                       .partner = 0,
                       .burst_ns = rank == 0 ? 9'000u : 0,
                       .call_ns = rank == 0 ? 51'000u : 0});
    builder.add(rank, {.kind = EventKind::end, .burst_ns = rank == 0 ? 4'000u : 0});
  }
  const report::Run run = run_of(std::move(builder));
  // Backwards from rank 0's last 4 us: the reduction ended at 91 us, and rank 2 arrived at 90.
  REQUIRE(run.path);
  CHECK(run.path->of_object == std::vector<simulate::Ns>{4'000, 0, 90'000});
  CHECK(run.path->collective == 1'000);
}
