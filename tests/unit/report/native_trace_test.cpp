// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

#include "skein/lb/report.hpp"
#include "skein/lb/trace.hpp"

using namespace skein;
using trace::EventKind;

TEST_CASE("report: elements go on when the PE that computed most has come to the sync point") {
  // Elements 2 and 3 on PE 0, 4 on PE 1. What they compute before and behind their one sync point, in ms:
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
  report::add_file(page, path);
  std::filesystem::remove(path);
  const report::Run& run = page.runs.at(0);

  // 1 + 2 ms of PE 0, then 6 ms of PE 1.
  CHECK(run.seconds == doctest::Approx(0.009));
  REQUIRE(run.interval_s.size() == 2);
  CHECK(run.interval_s[0] == doctest::Approx(0.003));
  CHECK(run.interval_s[1] == doctest::Approx(0.006));
  REQUIRE(run.bursts.size() == 6);
  for (std::size_t element = 0; element < 3; ++element) {
    CHECK(run.bursts[2 * element].begin_ns == 0);
    CHECK(run.bursts[2 * element + 1].begin_ns == 3'000'000);
  }
  REQUIRE(run.regions.size() == 1);
  CHECK(run.regions[0].size() == 6);
  CHECK(run.regions[0][1].begin_ns == 3'000'000);
  REQUIRE(run.warnings.size() == 1);
  CHECK(run.warnings[0].find("how long its elements waited") != std::string::npos);
}
