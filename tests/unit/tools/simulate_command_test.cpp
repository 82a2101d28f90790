// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/simulate_command.hpp"

#include <doctest/doctest.h>

#include "recorded.hpp"

using namespace skein;
using namespace skein::tools;
using namespace skein::tools::test;

using Files = FilesFor<simulate_tool>;

TEST_CASE("simulate: unmoved, the fullest PE takes 6 ms a sync point; balanced after the first period, 3") {
  const Files files;
  REQUIRE(files.run({}) == "0");
  CHECK(json_of(files.result)["makespan_s"] == doctest::Approx(0.060));
  CHECK(json_of(files.result)["steps"].empty());
  for (const int period : {1, 2, 5}) {
    REQUIRE(files.run({"--lb", "greedy", "--lb-period", std::to_string(period)}) == "0");
    const nlohmann::json told = json_of(files.result);
    CHECK(told["makespan_s"] == doctest::Approx(0.006 * period + 0.003 * (10 - period)));
    CHECK(told["steps"].size() == 10 / period);
    CHECK(told["steps"][0]["imbalance_before_percent"] == doctest::Approx(100));
    CHECK(told["steps"][0]["imbalance_after_percent"] == doctest::Approx(0));
    CHECK(told["busy_s"][1] == std::vector<double>(4, 0.003 * period));
  }
}

TEST_CASE("simulate: the beginning of a run, other PEs, the same bytes every time") {
  const Files files;
  REQUIRE(files.run({"--points", "4"}) == "0");
  CHECK(json_of(files.result)["makespan_s"] == doctest::Approx(0.024));
  REQUIRE(files.run({"--pes", "1"}) == "0");
  CHECK(json_of(files.result)["makespan_s"] == doctest::Approx(0.120));
  REQUIRE(files.run({"--pes", "2", "--lb", "random", "--lb-period", "2", "--seed", "5"}) == "0");
  const std::string once = text_of(files.result);
  REQUIRE(files.run({"--pes", "2", "--lb", "random", "--lb-period", "2", "--seed", "5"}) == "0");
  CHECK(text_of(files.result) == once);
}

TEST_CASE("simulate: of a run that was cut short, what all ranks came to is played") {
  const Files files;
  // Rank 7 came to the fifth sync point and no further; the others went on.
  const trace::Trace longer = uneven(8), shorter = uneven(5, false);
  trace::TraceBuilder builder(longer.header(), 8);
  for (trace::ObjectIndex rank = 0; rank < 8; ++rank) {
    trace::Cursor cursor = (rank == 7 ? shorter : longer).events(rank);
    while (const trace::Event* event = cursor.next())
      if (event->kind != trace::EventKind::end) builder.add(rank, *event);
  }
  const trace::Trace cut = std::move(builder).finish();
  trace::write_trace(cut, files.trace);
  if (!trace::read_trace(files.trace).complete()) {
    REQUIRE(files.run({}) == "0");
    CHECK(json_of(files.result)["makespan_s"] == doctest::Approx(0.030));
  }
}

TEST_CASE("simulate: modes, whose reserved PEs compute nothing") {
  const Files files;
  REQUIRE(files.run({"--lb", "greedy", "--lb-period", "1", "--lb-mode", "decoupled"}) == "0");
  const nlohmann::json apart = json_of(files.result);
  CHECK(apart["lb_mode"] == "decoupled:pes=1");
  CHECK(apart["pes"] == 3);
  CHECK(apart["reserved_pes"] == 1);
  CHECK(apart["pe_busy_s"].size() == 3);
  // On three PEs in blocks the first takes 7 ms a point; balanced, each takes 4.
  CHECK(apart["makespan_s"].get<double>() == doctest::Approx(0.007 + 9 * 0.004));
  // Ranks that exchange nothing never give way, so that their PEs hear of no decision before they have ended.
  REQUIRE(files.run({"--lb", "greedy", "--lb-period", "1", "--lb-mode", "lazy"}) == "0");
  const nlohmann::json lazy = json_of(files.result);
  CHECK(lazy["lb_mode"] == "lazy:pes=1");
  CHECK(lazy["steps"].empty());
  CHECK(lazy["makespan_s"].get<double>() == doctest::Approx(10 * 0.007));
  REQUIRE(files.run({"--lb", "greedy", "--lb-period", "1", "--lb-mode", "lazy:wait=always"}) == "0");
  const nlohmann::json waits = json_of(files.result);
  CHECK(waits["steps"].size() > 0);
  CHECK(waits["steps"][0]["late_points"] == 0);
  CHECK(waits["steps"][0]["dropped"] == false);
  CHECK(waits["steps"][0]["drift_work_percent"] == 0);
  CHECK(waits["makespan_s"].get<double>() == doctest::Approx(0.007 + 9 * 0.004));
  CHECK(holds(files.run({"--lb", "greedy", "--lb-mode", "lasy"}), "unknown mode 'lasy'"));
  CHECK(holds(files.run({"--lb", "greedy", "--lb-mode", "lazy:pes=4"}), "none is left to compute"));
}

TEST_CASE("simulate: what is wrong is named") {
  const Files files;
  const auto refused = [](const std::vector<std::string>& words) { return answer(simulate_tool(), words); };
  CHECK(refused({}) ==
        "skein simulate: too few words; usage: skein simulate TRACE --platform FILE|NAME [options]");
  CHECK(holds(refused({files.trace}), "skein simulate: --platform FILE|NAME is missing"));
  CHECK(holds(refused({files.trace}), "paraplui"));
  CHECK(holds(refused({"/no/file", "--platform", "paraplui"}), "/no/file"));
  CHECK(holds(refused({files.platform, "--platform", "paraplui"}), "no trace"));
  CHECK(holds(refused({files.trace, "--platform", "paraplu"}), "did you mean paraplui?"));
  CHECK(holds(files.run({"--lb", "gredy"}), "did you mean greedy?"));
  CHECK(holds(files.run({"--lb", "offline"}), "needs a value of its key 'file'"));
  CHECK(holds(files.run({"--lb", "rcb"}), "positions"));
  CHECK(holds(files.run({"--lb-period", "3s"}), "'3s' is a time; a simulation takes sync points, or auto"));
  CHECK(holds(files.run({"--lb-period", "0"}), "--lb-period 0"));
  CHECK(holds(files.run({"--lb-model", "mean"}), "unknown load model 'mean'"));
  CHECK(holds(files.run({"--pes", "0"}), "--pes 0"));
  CHECK(holds(files.run({"--map", "blocks"}), "block|round-robin|recorded"));
  CHECK(holds(files.run({"--map", "recorded"}), "where"));
  CHECK(holds(files.run({"--points", "11"}), "--points 11: " + files.trace + " has 10 sync points"));
  CHECK(holds(files.run({"--lb", "greedy", "--lb-period", "1", "--lb-memory", "1K"}), "1024 a PE"));
  CHECK(holds(files.run({"-o", "/no/folder/x"}), "/no/folder/x: cannot be written"));
}
