// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

#include "skein/lb/as_recorded.hpp"
#include "skein/lb/report.hpp"
#include "skein/lb/trace.hpp"

using namespace skein;
using trace::EventKind;

TEST_CASE("report: elements wait as their run is played again") {
  // Elements 2 and 3 are on PE 0, 4 on PE 1. They compute before and after their one sync point, in ms:
  constexpr std::uint64_t ms[3][2] = {{1, 4}, {2, 1}, {2, 6}};
  trace::Header header;
  header.native = true;
  header.pes = 2;
  header.labels = {"PE 0", "PE 1", "A[0]", "A[1]", "A[2]"};
  header.placement = {0, 1, 0, 0, 1};
  trace::TraceBuilder builder(header, 5);
  builder.name("A::step");
  builder.add(0, {});
  builder.add(1, {});
  for (trace::ObjectIndex element = 0; element < 3; ++element) {
    for (int k = 0; k < 2; ++k) {
      trace::Event execute, finish, sync;
      execute.kind = EventKind::execute;
      execute.what = static_cast<std::uint8_t>(trace::Cause::begin);
      finish.kind = EventKind::finish;
      finish.burst_ns = ms[element][k] * 1'000'000;
      sync.kind = EventKind::sync;
      builder.add(2 + element, execute);
      builder.add(2 + element, finish);
      if (k == 0) builder.add(2 + element, sync);
    }
    builder.add(2 + element, {});
  }
  const std::string path =
      (std::filesystem::temp_directory_path() / ("skein_report_" + std::to_string(getpid()) + ".sktrace"))
          .string();
  trace::write_trace(std::move(builder).finish(), path);
  report::Report page;
  report::add_file(page, path, simulate::play_as_recorded);
  // The trace of the simulated run tells how long elements waited.
  trace::write_trace(simulate::play_as_recorded(trace::read_trace(path)), path);
  report::Report simulated;
  report::add_file(simulated, path,
                   [](const trace::Trace&) -> trace::Trace { throw std::logic_error("played again"); });
  CHECK(simulated.runs.at(0).warnings.empty());
  CHECK(simulated.runs[0].seconds == doctest::Approx(0.008));
  std::filesystem::remove(path);
  const report::Run& run = page.runs.at(0);

  // No element moves, so none waits at sync points. Elements 2 and 3 compute in turn: 1, 2, 4 and 1 ms.
  CHECK(run.seconds == doctest::Approx(0.008));
  constexpr std::uint64_t begin_ms[3][2] = {{0, 3}, {1, 7}, {0, 2}};
  REQUIRE(run.bursts.size() == 5);  // the two bursts of element 4 form one
  REQUIRE(run.regions.size() == 1);
  REQUIRE(run.regions[0].size() == 6);
  for (std::size_t element = 0; element < 3; ++element)
    for (std::size_t k = 0; k < 2; ++k)
      CHECK(run.regions[0][2 * element + k].begin_ns == begin_ms[element][k] * 1'000'000);
  REQUIRE(run.path);
  CHECK(run.path->compute == 8'000'000);
  REQUIRE(run.warnings.size() == 1);
  CHECK(run.warnings[0].find("played again") != std::string::npos);
}
