// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tools.hpp"

#include <doctest/doctest.h>

#include "recorded.hpp"
#include "skein/lb/trace_formats.hpp"

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

TEST_CASE("simulate: JSON has the makespan with nobody moving, which what a balanced run gains is of") {
  const Files files;
  REQUIRE(files.run({"--lb", "greedy", "--lb-period", "5"}) == "0");
  CHECK(json_of(files.result)["makespan_s"] == doctest::Approx(0.045));
  CHECK(json_of(files.result)["makespan_unmoved_s"] == doctest::Approx(0.060));
  REQUIRE(files.run({"--lb", "greedy", "--lb-period", "5", "--alone"}) == "0");
  CHECK_FALSE(json_of(files.result).contains("makespan_unmoved_s"));
  REQUIRE(files.run({}) == "0");
  CHECK_FALSE(json_of(files.result).contains("makespan_unmoved_s"));
}

TEST_CASE(
    "simulate: --platform-xml writes the platform with --pes, whatever the engine; or says why it cannot") {
  const Files files;
  const std::string xml = files.folder.file("platform.xml");
  files.folder.write("ideal.json", R"({"name": "two", "nodes": 2, "pes_per_node": 4,
                                       "node": {"latency_ns": 0}, "network": {"latency_ns": 1000, "byte_ns": 0.5}})");
  REQUIRE(files.run({"--pes", "16", "--platform-xml", xml}) == "0");
  CHECK(holds(text_of(xml), "<cluster id=\"machine\""));
  CHECK(holds(text_of(xml), "radical=\"0-3\" speed=\"1000000000f\" core=\"4\""));
  CHECK(holds(files.run({"--platform-xml", "/no/folder/x"}), "/no/folder/x: cannot be written"));
  files.folder.write(
      "ideal.json",
      R"({"name": "odd", "nodes": 1, "pes_per_node": 2, "speeds": [1, 2], "node": {"latency_ns": 0}})");
  CHECK(holds(files.run({"--platform-xml", xml}), "platform 'odd' as SimGrid's XML: speeds cannot be said"));
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
  write_cut_short(files.trace);
  REQUIRE(!trace::read_trace(files.trace).complete());
  REQUIRE(files.run({}) == "0");
  CHECK(json_of(files.result)["makespan_s"] == doctest::Approx(0.030));
  CHECK(
      holds(files.run({"--points", "6"}), "has 5 sync points that all ranks came to before the run was cut"));
}

TEST_CASE("simulate: how a recording was disturbed, what is played of it, and added nodes are told") {
  const Files files;
  REQUIRE(files.run({}) == "0");
  CHECK_FALSE(json_of(files.result).contains("remarks"));
  trace::Header header;
  header.disturbance = {10'100'000'000, 7'900'000'000, true};
  trace::TraceBuilder disturbed(header, 1);
  disturbed.add(0, trace::Event());
  trace::write_trace(std::move(disturbed).finish(), files.trace);
  REQUIRE(files.run({}) == "0");
  CHECK(holds(json_of(files.result)["remarks"][0].get<std::string>(),
              "As it was recorded, other processes had the cores for 7.90 s of the 10.10 s"));
  write_cut_short(files.trace);
  REQUIRE(files.run({}) == "0");
  CHECK(json_of(files.result)["remarks"][0] ==
        "The recorded run was cut short: the simulation ends at the last of the 5 sync points that all ranks "
        "reached.");
  REQUIRE(answer(simulate_tool(),
                 {files.trace, "--platform", "paraplui", "--pes", "500", "-o", files.result}) == "0");
  CHECK(json_of(files.result)["remarks"][1] ==
        "paraplui has 384 PEs: for 500 PEs more nodes of the same kind are assumed, 21 instead of 16.");
}

TEST_CASE("simulate: a native program's elements stop at their sync points, and are played to their end") {
  const Files files;
  trace::write_trace(uneven_elements(10), files.trace);
  REQUIRE(files.run({"--map", "round-robin", "--lb", "greedy", "--lb-period", "5"}) == "0");
  // Dealt out in turn, the first two elements are on PEs 0 and 1 with one other element each: 4 ms a point.
  CHECK(json_of(files.result)["makespan_s"] == doctest::Approx(0.004 * 5 + 0.003 * 5));
  CHECK(holds(files.run({"--points", "4"}), "--points 4: " + files.trace + " is of a native program"));
}

TEST_CASE("simulate: elements are divided, and --part-ghosts has each side of a cut compute more") {
  const Files files;
  trace::write_trace(uneven_elements(10, true), files.trace);
  files.folder.write("ideal.json",
                     R"({"name": "ideal", "nodes": 1, "pes_per_node": 8, "node": {"latency_ns": 0},
                                       "decision_element_ns": {"move-split": 0}})");
  const auto divided = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"--lb", "move-split:threshold=1", "--lb-period", "9"};
    words.insert(words.end(), more.begin(), more.end());
    REQUIRE(files.run(words) == "0");
    const nlohmann::json told = json_of(files.result);
    CHECK(told["steps"][0]["parts_split_off"] == 6);
    return told["makespan_s"].get<double>();
  };
  // Each PE has one element. Those of 3 ms a point give away three parts of half a millisecond each, for the
  // last point.
  CHECK(divided({}) == doctest::Approx(0.003 * 9 + 0.0015));
  // Each cut through 1000 cells goes across 100: a tenth of 3 ms more for each of the three cuts.
  CHECK(divided({"--part-ghosts", "1:0:1"}) == doctest::Approx(0.003 * 9 + 0.0015 + 3 * 0.0003));
  CHECK(holds(files.run({"--part-ghosts", "1:2"}), "'1:2' is not CELL:FACE:LAYERS"));
}

TEST_CASE("simulate: times that no number holds are an error, not a wrong time") {
  const Files files;
  const auto on = [&](const std::string& members) {
    const std::string platform =
        files.folder.write("odd.json", R"({"name": "odd", "nodes": 1, "pes_per_node": 4,)" + members +
                                           R"("node": {"latency_ns": 0, "receive_byte_ns": 0}})");
    return answer(simulate_tool(), {files.trace, "--platform", platform, "-o", files.result});
  };
  CHECK(on(R"("speed": 1e-6,)") == "0");
  CHECK(json_of(files.result)["makespan_s"] == doctest::Approx(0.060e6));
  for (const char* const members : {R"("speed": 1e-300,)", R"("speed": 1e-6, "speeds": [1e-6, 1, 1, 1],)",
                                    R"("changes": [{"pe": 0, "factor": 1e-20}],)"})
    CHECK(holds(
        on(members),
        "PE 0 of platform 'odd' takes 4.567 years and more for a burst of rank 0, in the trace 3000000 ns: "
        "look at speed, speeds, background and changes of the platform"));
}

TEST_CASE("simulate: strategies know how fast PEs are, as a run would find them") {
  // Four ranks of 1 ms on two PEs, 20 points, a step every five.
  const Files files;
  trace::write_trace(computing({}, {1'000'000, 1'000'000, 1'000'000, 1'000'000}, 20), files.trace);
  const auto on = [&](const std::string& members, std::vector<std::string> words, int pes = 2) {
    const std::string platform = files.folder.write(
        "few.json", R"({"name": "few", "nodes": 1, "pes_per_node": )" + std::to_string(pes) + "," + members +
                        R"("node": {"latency_ns": 0, "receive_byte_ns": 0}})");
    words.insert(words.begin(), {files.trace, "--platform", platform, "-o", files.result, "--lb", "greedy",
                                 "--lb-period", "5"});
    REQUIRE(answer(simulate_tool(), words) == "0");
    return json_of(files.result);
  };
  // PE 1 is twice as fast and takes 1 ms a point for two ranks, while PE 0 takes 2. From the first step on PE
  // 1 has three ranks, 1.5 ms, and PE 0 one: 5 * 2 + 15 * 1.5.
  const std::string fast = R"("speeds": [1, 2],)", shared = R"("background": [0, 0.5],)";
  const nlohmann::json told = on(fast, {});
  CHECK(told["makespan_s"] == doctest::Approx(0.0325));
  CHECK(told["pe_speeds"] == std::vector<double>{0.5, 1});
  // A background of a sixteenth is recognised; a speed that differs by less than a twentieth is not.
  CHECK(on(R"("background": [0, 0.0625],)", {})["pe_speeds"] == std::vector<double>{1, 0.9375});
  CHECK(!on(R"("speeds": [1, 1.03],)", {}).contains("pe_speeds"));
  // Two ms of processor time on half of PE 1 take 4 ms at first; then PE 0 has three ranks and takes 3.
  CHECK(on(shared, {})["makespan_s"] == doctest::Approx(5 * 0.004 + 15 * 0.003));
  // A run measures its processors at the start, and does not know what begins later.
  CHECK(on(R"("changes": [{"pe": 0, "factor": 0.5}],)", {})["pe_speeds"] == std::vector<double>{0.5, 1});
  CHECK(!on(R"("changes": [{"pe": 0, "from_ns": 1000000, "factor": 0.5}],)", {}).contains("pe_speeds"));
  // Speeds are not known: the ranks of PE 1 look half as heavy as they are.
  CHECK(on(fast, {"--pe-speed", "uniform"})["makespan_s"] == doctest::Approx(0.040));
  const std::string file = files.folder.write("speeds.txt", "1 2\n");
  CHECK(on(fast, {"--pe-speed", file})["makespan_s"] == doctest::Approx(0.0325));
  CHECK(on("", {"--pe-speed", file})["pe_speeds"] == std::vector<double>{1, 2});
  // The last PE only decides.
  CHECK(on(R"("speeds": [1, 2, 4],)", {"--lb-mode", "lazy:wait=1"}, 3)["pe_speeds"] ==
        std::vector<double>{0.5, 1});
}

TEST_CASE("simulate: of an imported trace, whose work nobody measured, no contention is taken") {
  // Two ranks of 80 ms, one after the other on one PE: 160 ms, whatever two PEs would take from each other.
  const Files files;
  const std::string list = files.folder.write(
      "traces.txt", files.folder.write("0.txt", "0 init\n0 compute 80e6\n0 finalize\n") + "\n" +
                        files.folder.write("1.txt", "1 init\n1 compute 80e6\n1 finalize\n"));
  trace::write_trace(trace::import_ti(list), files.trace);
  const std::string platform =
      files.folder.write("crowded.json", R"({"name": "crowded", "nodes": 1, "pes_per_node": 2,
                           "contention": [1, 1.6], "node": {"latency_ns": 0, "receive_byte_ns": 0}})");
  const auto on = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {files.trace, "--platform", platform, "-o", files.result});
    REQUIRE(answer(simulate_tool(), words) == "0");
    return json_of(files.result)["makespan_s"].get<double>();
  };
  CHECK(on({"--pes", "1"}) == doctest::Approx(0.160));
  CHECK(on({"--pes", "2"}) == doctest::Approx(0.128));
  // The option that says where the run was recorded is believed: 50 ms each.
  CHECK(on({"--pes", "1", "--recorded-on", platform}) == doctest::Approx(0.100));
}

TEST_CASE("simulate: absurd times in a trace are named") {
  const Files files;
  const auto with = [&](const trace::Event& event) {
    trace::TraceBuilder builder(trace::Header(), 1);
    builder.add(0, event);
    builder.add(0, trace::Event());
    trace::write_trace(std::move(builder).finish(), files.trace);
    return files.run({});
  };
  trace::Event event;
  event.kind = trace::EventKind::sleep;
  event.call_ns = std::uint64_t{1} << 63;
  CHECK(holds(with(event), "a sleep of rank 0 takes 292.3 years: look at"));
  event.kind = trace::EventKind::file;
  CHECK(holds(with(event), "what is recorded of a call of object 0 takes 292.3 years: look at"));
  event.kind = trace::EventKind::sync;
  event.burst_ns = std::uint64_t{1} << 63;
  CHECK(
      holds(with(event), "4.567 years and more for a burst of rank 0, in the trace 9223372036854775808 ns"));
  event.burst_ns = std::uint64_t{1} << 56;
  CHECK(with(event) == "0");
}

TEST_CASE("simulate: a recording of the last seconds only is for looking at") {
  const Files files;
  trace::Header header;
  header.ends_only = true;
  trace::TraceBuilder builder(header, 1);
  builder.add(0, trace::Event());
  trace::write_trace(std::move(builder).finish(), files.trace);
  CHECK(holds(files.run({}), files.trace + ": has only the ends of its streams (--trace FILE:last=SECONDS)"));
}

TEST_CASE("simulate: what is read is not written over") {
  const Files files;
  const std::string before = text_of(files.trace);
  for (const char* const option : {"-o", "--platform-xml"})
    for (const std::string& read : {files.trace, files.platform})
      CHECK(holds(answer(simulate_tool(), {files.trace, "--platform", files.platform, option, read}),
                  read + ": is an input, and would be overwritten"));
  CHECK(text_of(files.trace) == before);
}

TEST_CASE("simulate: modes, whose reserved PEs compute nothing") {
  const Files files;
  REQUIRE(files.run({"--lb", "greedy", "--lb-period", "1", "--lb-mode", "decoupled:reserved"}) == "0");
  const nlohmann::json apart = json_of(files.result);
  CHECK(apart["lb_mode"] == "decoupled:reserved,pes=1");
  CHECK(apart["pes"] == 3);
  CHECK(apart["reserved_pes"] == 1);
  CHECK(apart["pe_busy_s"].size() == 3);
  // On three PEs in blocks the first PE takes 7 ms a point; balanced, each takes 4.
  CHECK(apart["makespan_s"].get<double>() == doctest::Approx(0.007 + 9 * 0.004));
  // The last share for point 1 arrives after 7 ms, when the first rank of PE 2, where a point takes 2 ms,
  // passes its fourth point: so all ranks stop at the fifth.
  REQUIRE(files.run({"--lb", "greedy", "--lb-period", "1", "--lb-mode", "lazy"}) == "0");
  const nlohmann::json lazy = json_of(files.result);
  CHECK(lazy["lb_mode"] == "lazy:pes=1");
  REQUIRE(lazy["steps"].size() == 1);
  CHECK(lazy["steps"][0]["late_points"] == 4);
  CHECK(lazy["makespan_s"].get<double>() == doctest::Approx(5 * 0.007 + 5 * 0.004));
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
  CHECK(holds(files.run({"--pe-speed", "/no/file"}), "--pe-speed: /no/file"));
  CHECK(holds(files.run({"--pe-speed", files.folder.write("speeds", "4 1\n")}), "PE 4 does not exist"));
  CHECK(holds(files.run({"--pes", "0"}), "--pes 0"));
  CHECK(holds(files.run({"--map", "blocks"}), "block|round-robin|recorded"));
  CHECK(holds(files.run({"--map", "recorded"}), "where"));
  CHECK(holds(files.run({"--points", "11"}), "--points 11: " + files.trace + " has 10 sync points"));
  CHECK(holds(files.run({"--lb", "greedy", "--lb-period", "1", "--lb-memory", "1K"}), "1024 a PE"));
  CHECK(holds(files.run({"-o", "/no/folder/x"}), "/no/folder/x: cannot be written"));
}
