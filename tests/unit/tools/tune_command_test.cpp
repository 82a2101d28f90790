// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tools.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <tuple>

#include "recorded.hpp"

using namespace skein;
using namespace skein::tools;
using namespace skein::tools::test;

using TuneFiles = FilesFor<tune_tool>;

TEST_CASE("tune: the best configuration of a run whose times are known, and the command line that gives it") {
  const TuneFiles files;
  REQUIRE(files.run({"--strategies", "greedy,rcb", "--periods", "5,1,2", "-p", "1,2,4"}) == "0");
  const nlohmann::json told = json_of(files.result);
  CHECK(told["complete"] == true);
  const nlohmann::json best = told["rows"][told["fastest"].get<std::size_t>()];
  CHECK(best["strategy"] == "greedy");
  CHECK(best["period"] == 1);
  CHECK(best["pes"] == 4);
  CHECK(best["mean_s"] == doctest::Approx(0.006 + 9 * 0.003));
  CHECK(told["command"] == "skein run -p 4 -n 8 --lb greedy --lb-period 1 --sync-at=MPI_Barrier ./app");
  // 12 ms a point on one PE; on two PEs the halves take 8 and 4, and 6 each when balanced.
  std::vector<double> frontier;
  for (const std::size_t row : told["frontier"]) frontier.push_back(told["rows"][row]["mean_s"]);
  CHECK(frontier.size() == 3);
  CHECK(frontier[0] == doctest::Approx(0.120));
  CHECK(frontier[1] == doctest::Approx(0.008 + 9 * 0.006));
  CHECK(frontier[2] == doctest::Approx(0.033));
  CHECK(holds(told["rows"].back()["why_not"].get<std::string>(), "positions"));
}

TEST_CASE(
    "tune: what the strategy could reach at best, one step behind the first point that shows the loads") {
  const TuneFiles files;
  REQUIRE(files.run({"--strategies", "greedy,auto", "--periods", "5,10", "--pes", "4"}) == "0");
  const nlohmann::json best = json_of(files.result)["best_possible"];
  CHECK(best["strategy"] == "greedy");
  CHECK(best["steps"] == std::vector<int>{1});
  CHECK(best["seconds"] == doctest::Approx(0.006 + 9 * 0.003));
  // With an automatic period the first step moves nothing.
  CHECK(best["automatic_s"] == doctest::Approx(2 * 0.006 + 8 * 0.003));
  // Nothing is known about messages beforehand, so no bound is given for a strategy that looks at them.
  REQUIRE(files.run({"--strategies", "refine-comm", "--periods", "5", "--pes", "4"}) == "0");
  CHECK_FALSE(json_of(files.result).contains("best_possible"));
}

TEST_CASE("tune: all modes, with several PEs that decide where the platform knows what they take") {
  TuneFiles files;
  files.platform = files.folder.write(
      "together.json",
      R"({"name": "together", "nodes": 1, "pes_per_node": 8, "node": {"latency_ns": 0}, "together": {"ns": {"rotate": 1000}}})");
  REQUIRE(files.run({"--strategies", "rotate,greedy", "--periods", "2", "--pes", "8", "--lb-mode", "all"}) ==
          "0");
  std::set<std::string> modes;
  const nlohmann::json told = json_of(files.result);
  for (const nlohmann::json& row : told["rows"]) {
    CHECK_FALSE(row.contains("why_not"));
    modes.insert(row["strategy"].get<std::string>() + " " + row["mode"].get<std::string>());
  }
  // Eight ranks on eight PEs cannot move unless a PE is reserved.
  CHECK(modes ==
        std::set<std::string>{"none inline", "greedy lazy:pes=1", "rotate lazy:pes=1", "rotate lazy:pes=2"});
}

TEST_CASE("tune: modes are tried, named, and in the command line") {
  const TuneFiles files;
  REQUIRE(files.run({"--strategies", "greedy", "--periods", "1,5", "--pes", "4", "--lb-mode",
                     "inline,decoupled:pes=1,decoupled:reserved,pes=1,lazy:pes=1,wait=always"}) == "0");
  const nlohmann::json told = json_of(files.result);
  std::map<std::string, double> seconds;
  for (const nlohmann::json& row : told["rows"])
    if (row["strategy"] == "greedy" && row["period"] == 1) seconds[row["mode"]] = row["mean_s"];
  REQUIRE(seconds.size() == 4);
  CHECK(seconds["inline"] == doctest::Approx(0.006 + 9 * 0.003));
  CHECK(seconds["decoupled:pes=1"] == doctest::Approx(0.006 + 9 * 0.003));
  CHECK(seconds["decoupled:reserved,pes=1"] == doctest::Approx(0.007 + 9 * 0.004));
  CHECK(seconds["lazy:pes=1,wait=always"] == doctest::Approx(0.007 + 9 * 0.004));
  CHECK(!holds(told["command"].get<std::string>(), "--lb-mode"));
  REQUIRE(files.run({"--strategies", "greedy", "--periods", "1", "--pes", "3", "--lb-mode",
                     "decoupled:reserved"}) == "0");
  // Unmoved, the first of three PEs takes 7 ms a point; two balanced PEs take 6.
  CHECK(json_of(files.result)["command"] ==
        "skein run -p 3 -n 8 --lb greedy --lb-period 1 --lb-mode decoupled:reserved,pes=1 "
        "--sync-at=MPI_Barrier ./app");
  CHECK(holds(files.run({"--lb-mode", "inline,lasy"}), "unknown mode 'lasy'"));
  CHECK(holds(files.run({"--lb-mode", "wait=3"}), "unknown mode 'wait=3'"));
}

TEST_CASE("tune: with SimGrid's network, as many at a time as asked for") {
  // Nothing is sent, so both networks give the same times; with one node there are no messages between nodes.
  const TuneFiles files;
  const std::vector<std::string> words = {"--strategies", "none,greedy,refine", "--periods", "1,2,5", "--pes",
                                          "1,2,4"};
  std::vector<nlohmann::json> rows;
  for (const std::vector<std::string>& more : {std::vector<std::string>{},
                                               {"--engine", "simgrid", "--jobs", "1"},
                                               {"--engine", "simgrid", "--jobs", "3"}}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), more.begin(), more.end());
    const std::string status = files.run(all);
    if (holds(status, "install libsimgrid-dev")) return;  // this build has no SimGrid
    REQUIRE(status == "0");
    rows.push_back(json_of(files.result)["rows"]);
  }
  CHECK(rows[0].size() > 10);
  CHECK(rows[1] == rows[0]);
  CHECK(rows[2] == rows[0]);
}

TEST_CASE("tune: the outcome does not depend on how many simulations run at a time") {
  const TuneFiles files(120);
  // There are more configurations than are all simulated to the end.
  const std::vector<std::string> words = {
      "--strategies", "greedy,refine,greedy-refine,random", "--pes", "2,4", "--periods", "1,2,3,4,5,6,7,8"};
  std::vector<std::string> outcomes;
  for (const char* const jobs : {"1", "3"}) {
    std::vector<std::string> more = words;
    more.insert(more.end(), {"--jobs", jobs});
    REQUIRE(files.run(more) == "0");
    outcomes.push_back(text_of(files.result));
  }
  CHECK(outcomes[0] == outcomes[1]);
  const nlohmann::json told = json_of(files.result);
  CHECK(told["given_up"] > 0);
  const nlohmann::json best = told["rows"][told["fastest"].get<std::size_t>()];
  CHECK(best["mean_s"] == doctest::Approx(0.006 + 119 * 0.003));
}

TEST_CASE("tune: what is given up is none of the best eight of its PEs, and has the time until there") {
  const TuneFiles files(120);
  const std::vector<std::string> words = {"--strategies", "greedy,refine,greedy-refine,rotate",
                                          "--pes",        "2,4",
                                          "--periods",    "1,2,3,4,5,6,7,8,9,10,20,40"};
  const auto rows = [&](const char* more) {
    std::vector<std::string> all = words;
    if (*more) all.emplace_back(more);
    REQUIRE(files.run(all) == "0");
    return json_of(files.result);
  };
  const nlohmann::json whole = rows("--whole"), usual = rows("");
  CHECK(whole["given_up"] == 0);
  CHECK(usual["given_up"] > 0);
  CHECK(usual["command"] == whole["command"]);
  const auto name = [](const nlohmann::json& row) {
    return std::tuple(row["pes"].get<int>(), row["strategy"].get<std::string>(), row["period"].dump());
  };
  std::map<std::tuple<int, std::string, std::string>, double> seconds;
  std::map<int, std::vector<double>> of_pes;
  for (const nlohmann::json& row : whole["rows"]) {
    seconds[name(row)] = row["mean_s"];
    of_pes[row["pes"]].push_back(row["mean_s"]);  // rising
  }
  std::size_t checked = 0;
  for (const nlohmann::json& row : usual["rows"]) {
    const double to_the_end = seconds.at(name(row));
    if (row["points"].is_null()) {
      CHECK(row["mean_s"] == to_the_end);
      continue;
    }
    CHECK(row["mean_s"] < to_the_end);
    CHECK(to_the_end > of_pes[row["pes"]][7]);
    ++checked;
  }
  CHECK(checked == usual["given_up"]);
}

TEST_CASE("tune: coarser decompositions are tried, too") {
  const TuneFiles files;
  // Pairs of ranks on four PEs take 6, 2, 2, 2 ms a point, and nothing can move. Two ranks on two PEs take 8
  // and 4.
  REQUIRE(files.run({"--strategies", "greedy", "--periods", "1", "--pes", "2,4", "--grid", "4x2", "--to",
                     "4x1,2x1"}) == "0");
  const nlohmann::json told = json_of(files.result);
  std::map<std::tuple<int, int, std::string>, double> seconds;
  for (const nlohmann::json& row : told["rows"])
    seconds[{row["ranks"], row["pes"], row["strategy"]}] = row["mean_s"];
  CHECK(seconds.size() ==
        8);  // none everywhere but with 2 ranks on 4 PEs, and greedy where more ranks than PEs are
  CHECK(seconds.at({8, 4, "greedy"}) == doctest::Approx(0.033));
  CHECK(seconds.at({4, 4, "none"}) == doctest::Approx(0.060));
  CHECK(seconds.at({2, 2, "none"}) == doctest::Approx(0.080));
  CHECK(seconds.at({4, 2, "greedy"}) == doctest::Approx(0.008 + 9 * 0.006));
  CHECK(holds(files.run({"--to", "4x1"}), "--grid and --to go together"));
  CHECK(holds(files.run({"--cells", "12"}), "--cells goes with --grid and --to"));
  CHECK(holds(files.run({"--grid", "4x2", "--to", "3x1"}), "3"));
  CHECK(holds(files.run({"--grid", "4x2", "--to", "4x1,2x2"}), "two grids of 4 ranks"));
  CHECK(holds(files.run({"--grid", "4by2", "--to", "4x1"}), "'4by2' is no grid"));
}

TEST_CASE("tune: by --cells coarser decompositions have the work of their cells") {
  const TuneFiles files;
  // The ranks have 2, 2, 2, 2, 1, 1, 1, 1 of 12 cells, and each of two ranks 6: the fourth rank belongs to
  // the second, and the two take 7 and 5 ms a point instead of 8 and 4.
  REQUIRE(files.run({"--strategies", "none", "--pes", "2", "--grid", "8", "--to", "2", "--cells", "12"}) ==
          "0");
  const nlohmann::json told = json_of(files.result);
  bool found = false;
  for (const nlohmann::json& row : told["rows"])
    if (row["ranks"] == 2) {
      found = true;
      CHECK(row["mean_s"].get<double>() == doctest::Approx(0.070).epsilon(1.0 / 64));  // times are rounded
    }
  CHECK(found);
}

TEST_CASE("tune: several recorded runs give an interval") {
  const TuneFiles files;
  REQUIRE(files.run({files.trace, "--strategies", "none", "--pes", "4"}) == "0");
  const nlohmann::json row = json_of(files.result)["rows"][0];
  CHECK(row["seconds"].size() == 2);
  CHECK(row["half_width_s"] == 0);  // the same run twice
}

TEST_CASE("tune: sync points of a part are those that are told of it") {
  const TuneFiles files;
  write_cut_short(files.trace);
  REQUIRE(files.run({"--strategies", "greedy", "--pes", "4", "--periods", "1"}) == "0");
  CHECK(json_of(files.result)["sync_points"] == 5);
  CHECK(json_of(files.result)["remarks"][0] ==
        "The recorded run was cut short: the simulation ends at the last of the 5 sync points that all ranks "
        "reached.");
  REQUIRE(files.run({"--strategies", "greedy", "--pes", "4", "--periods", "1", "--points", "3"}) == "0");
  CHECK(json_of(files.result)["sync_points"] == 3);
}

TEST_CASE("tune: where ranks are too few to be balanced, more have to be recorded") {
  const TuneFiles files;
  files.folder.write("ideal.json",
                     R"({"name": "wide", "nodes": 1, "pes_per_node": 8, "node": {"latency_ns": 0}})");
  REQUIRE(files.run({"--pes", "8"}) == "0");
  CHECK(json_of(files.result)["remarks"][0] ==
        "With 8 ranks on 8 PEs there is little or nothing to move. Whether balancing would pay there is "
        "known once a "
        "run of more ranks is recorded, some 32 (4 a PE).");
  REQUIRE(files.run({"--pes", "4", "--strategies", "none"}) == "0");
  CHECK_FALSE(json_of(files.result).contains("remarks"));
}

TEST_CASE("tune: without sync points it says so, and tells of what can be simulated") {
  const TuneFiles files(0);
  REQUIRE(files.run({}) == "0");
  const nlohmann::json told = json_of(files.result);
  CHECK(!told["rows"].empty());
  for (const nlohmann::json& row : told["rows"]) CHECK(row["strategy"] == "none");
}

TEST_CASE("tune: a native program is balanced at its elements' sync points") {
  const TuneFiles files;
  trace::write_trace(uneven_elements(30), files.trace);
  // There are more configurations of a native program than are all played to the end.
  REQUIRE(files.run({"--strategies", "greedy,refine,greedy-refine,random", "--pes", "2,4", "--periods",
                     "1,2,3,4,5,6,7,8"}) == "0");
  const nlohmann::json told = json_of(files.result);
  CHECK(told["sync_points"] == 30);
  CHECK(told["given_up"] == 0);
  const nlohmann::json best = told["rows"][told["fastest"].get<std::size_t>()];
  CHECK(best["ranks"] == 8);
  CHECK(best["period"] == 1);
  CHECK(best["steps"] == 30);
  CHECK(best["mean_s"] == doctest::Approx(0.006 + 29 * 0.003));
  CHECK(holds(told["command"].get<std::string>(), "--lb-period 1 ./native"));
  CHECK(holds(files.run({"--points", "3"}), "is of a native program, which is played to its end only"));
  CHECK(holds(files.run({"--grid", "4x2", "--to", "2x2"}),
              "is of a native program, whose elements have no ranks"));
}

TEST_CASE("tune: imbalance is that of intervals, not of whole runs") {
  // Two ranks on two PEs take 3 and 1 ms in turn: in all equally long, and 50 % imbalance at each point.
  const TuneFiles files;
  trace::TraceBuilder builder({}, 2);
  for (trace::ObjectIndex rank : {0u, 1u}) {
    trace::Event sync;
    sync.kind = trace::EventKind::sync;
    for (std::uint64_t point = 0; point < 10; ++point) {
      sync.burst_ns = (point + rank) % 2 ? 3'000'000 : 1'000'000;
      builder.add(rank, sync);
    }
    builder.add(rank, trace::Event());
  }
  trace::write_trace(std::move(builder).finish(), files.trace);
  REQUIRE(files.run({"--strategies", "none", "--pes", "2"}) == "0");
  const nlohmann::json row = json_of(files.result)["rows"][0];
  CHECK(row["mean_s"] == doctest::Approx(0.020));  // no rank waits for another, except at the end
  CHECK(row["imbalance_percent"] == doctest::Approx(50));
}

TEST_CASE("tune: strategies know how fast PEs are") {
  const TuneFiles files;
  trace::write_trace(computing({}, {1'000'000, 1'000'000, 1'000'000, 1'000'000}, 20), files.trace);
  const auto best_of = [&](const std::string& member) {
    const std::string platform =
        files.folder.write("two.json", R"({"name": "two", "nodes": 1, "pes_per_node": 2,)" + member +
                                           R"("node": {"latency_ns": 0, "receive_byte_ns": 0}})");
    REQUIRE(answer(tune_tool(), {files.trace, "--platform", platform, "-o", files.result, "--strategies",
                                 "greedy", "--periods", "5", "--pes", "2"}) == "0");
    const nlohmann::json told = json_of(files.result);
    CHECK(holds(told["command"].get<std::string>(), "--pe-speed measured"));
    return told["rows"][told["fastest"].get<std::size_t>()]["mean_s"].get<double>();
  };
  CHECK(best_of(R"("speeds": [1, 2],)") == doctest::Approx(0.0325));
  CHECK(best_of(R"("background": [0, 0.5],)") == doctest::Approx(0.065));
}

TEST_CASE("tune: where no configuration can be simulated each says why") {
  const TuneFiles files(120);
  // There are more configurations than are all simulated to the end; no PE has room for any rank.
  REQUIRE(files.run({"--strategies", "greedy,refine,greedy-refine,random", "--pes", "2,4", "--periods",
                     "1,2,3,4,5,6,7,8", "--lb-memory", "1"}) == "1");
  const nlohmann::json told = json_of(files.result);
  CHECK(told["given_up"] == 0);
  CHECK(told["rows"].size() > 60);
  for (const nlohmann::json& row : told["rows"])
    CHECK(holds(row["why_not"].get<std::string>(), "bytes in use"));
}

TEST_CASE("tune: with nothing simulated the status is 1") {
  const TuneFiles files;
  CHECK(files.run({"--budget", "1e-9"}) == "1");
  CHECK(json_of(files.result)["complete"] == false);
}

TEST_CASE("tune: what is wrong is named") {
  const TuneFiles files;
  const auto refused = [](const std::vector<std::string>& words) { return answer(tune_tool(), words); };
  CHECK(holds(refused({}), "too few words; usage: skein tune TRACE... --platform FILE|NAME [options]"));
  CHECK(holds(refused({files.trace}), "--platform FILE|NAME is missing"));
  CHECK(holds(files.run({"--pes", "16"}), "--pes chooses fewer PEs"));
  CHECK(holds(files.run({"--pes", "2,"}), "empty part"));
  CHECK(holds(files.run({"--strategies", "greedy,refin"}), "did you mean refine?"));
  CHECK(holds(files.run({"--seeds", "3"}), "the platform ideal has no noise"));
  CHECK(holds(files.run({"--budget", "-1"}), "--budget -1"));
  CHECK(holds(files.run({"--platfrom", "x"}), "did you mean --platform?"));
  const std::string other = files.folder.file("other.sktrace");
  trace::write_trace(uneven(9), other);
  CHECK(holds(files.run({other}), "has 10 sync points and " + other + " has 9"));
}
