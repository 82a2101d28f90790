// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "skein/lb/simulate.hpp"

using namespace skein;
using nlohmann::json;

TEST_CASE("timeline as JSON: what was simulated and what came of it, in seconds, interval by interval") {
  simulate::Timeline timeline;
  timeline.makespan = 3'500'000'000;
  timeline.pes = 2;
  timeline.busy = {1'000'000'000, 500'000'000, 700'000'001, 800'000'000};
  timeline.unbalanced = {1'000'000'000, 500'000'000, 1'200'000'000, 300'000'001};
  timeline.interval_end = {1'100'000'000, 3'500'000'000};
  timeline.pe_busy = {1'700'000'001, 1'300'000'000};
  timeline.placement = {{0, 0, 1}, {0, 1, 1}};
  simulate::StepRecord step;
  step.at = 1'050'000'000;
  step.strategy = "refine";
  step.moved = 1;
  step.moved_bytes = 4096;
  step.move = 20'000;
  timeline.steps = {step};
  timeline.messages = 10;
  timeline.remote_messages = 4;
  timeline.bursts = {{2, 1, 5, 9}};
  trace::Header header;
  header.program = "./app";
  const trace::Trace trace = trace::TraceBuilder(header, 3).finish();
  simulate::Platform platform;
  platform.name = "two";
  platform.nodes = 2;
  simulate::Policy policy;
  policy.strategy = "refine";
  policy.period = 0;

  const json told = json::parse(to_json(timeline, trace, platform, policy));
  CHECK(told["kind"] == "simulation");
  CHECK(told["program"] == "./app");
  CHECK(told["ranks"] == 3);
  CHECK(told["pes"] == 2);
  CHECK(told["lb_period"] == "auto");
  CHECK(told["makespan_s"] == 3.5);
  CHECK(told["busy_s"] == json::parse("[[1.0, 0.5], [0.700000001, 0.8]]"));
  CHECK(told["busy_unbalanced_s"][1] == json::parse("[1.2, 0.300000001]"));
  CHECK(told["interval_end_s"] == json::parse("[1.1, 3.5]"));
  CHECK(told["placement"] == json::parse("[0, 0, 1]"));
  CHECK(told["steps"].size() == 1);
  CHECK(told["steps"][0]["moves"] == json::parse("[[1, 0, 1]]"));
  CHECK(told["steps"][0]["bytes_moved"] == 4096);
  CHECK(told["steps"][0]["move_s"] == 2e-5);
  CHECK_FALSE(told["steps"][0].contains("why"));
  CHECK_FALSE(told.contains("bursts"));
  policy.keep_bursts = true;
  CHECK(json::parse(to_json(timeline, trace, platform, policy))["bursts"] == json::parse("[[2, 1, 5, 9]]"));
}
