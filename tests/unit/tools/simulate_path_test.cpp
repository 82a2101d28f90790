// SPDX-License-Identifier: Apache-2.0
// The parts of a makespan, the makespan if something were faster, and simulated runs as traces, for programs
// whose times follow by hand.
#include <doctest/doctest.h>

#include "recorded.hpp"
#include "runtime/tools/tools.hpp"
#include "skein/lb/as_recorded.hpp"

using namespace skein;
using namespace skein::tools;
using namespace skein::tools::test;
using nlohmann::json;

using Files = FilesFor<simulate_tool>;

namespace {

constexpr double us = 1e-6;

/// Only computing takes time, and, in a node, 1 us until a message arrives.
constexpr const char* with_latency =
    R"({"name": "late", "nodes": 1, "pes_per_node": 4, "node": {"latency_ns": 1000, "receive_byte_ns": 0}})";

trace::Event event(trace::EventKind kind, std::uint64_t burst_ns, std::int32_t partner = trace::kAny) {
  trace::Event event;
  event.kind = kind;
  event.burst_ns = burst_ns;
  event.partner = partner;
  event.bytes = partner == trace::kAny ? 0 : 8;
  return event;
}

/// Rank 0 computes 5 us, 4 of them in "solve", and sends; rank 1 computes 1 us, receives, and computes 2 us
/// more.
void write_pair(const std::string& path) {
  trace::TraceBuilder builder(trace::Header(), 2);
  const std::uint64_t solve[] = {builder.name("solve")};
  trace::Event begin = event(trace::EventKind::region_begin, 1000),
               end = event(trace::EventKind::region_end, 4000);
  begin.list = end.list = solve;
  builder.add(0, begin);
  builder.add(0, end);
  builder.add(0, event(trace::EventKind::send, 0, 1));
  builder.add(0, event(trace::EventKind::end, 0));
  builder.add(1, event(trace::EventKind::receive, 1000, 0));
  builder.add(1, event(trace::EventKind::end, 2000));
  trace::write_trace(std::move(builder).finish(), path);
}

}  // namespace

TEST_CASE("critical path: through the message that was waited for, and not through what came early") {
  const Files files;
  files.folder.write("ideal.json", with_latency);
  write_pair(files.trace);
  REQUIRE(files.run({"--pes", "2", "--critical-path"}) == "0");
  const json told = json_of(files.result), path = told["critical_path"];
  CHECK(told["makespan_s"] == doctest::Approx(8 * us));
  CHECK(path["compute_s"] == doctest::Approx(7 * us));
  CHECK(path["transfer_s"] == doctest::Approx(1 * us));
  CHECK(path["handed_on"] == 1);
  CHECK(path["compute_of_ranks_s"] == json::parse("[[0, 5e-06], [1, 2e-06]]"));
  CHECK(path["compute_of_regions_s"] == json::parse(R"([["solve", 4e-06], ["", 3e-06]])"));
}

TEST_CASE("critical path: through all that share a PE, whoever sent to whom") {
  const Files files;
  REQUIRE(files.run({"--points", "1", "--critical-path"}) == "0");
  const json told = json_of(files.result), path = told["critical_path"];
  // Ranks 0 and 1 with 3 ms each.
  CHECK(told["makespan_s"] == doctest::Approx(0.006));
  CHECK(path["compute_s"] == doctest::Approx(0.006));
  CHECK(path["compute_of_ranks_s"] == json::parse("[[0, 0.003], [1, 0.003]]"));
}

TEST_CASE("critical path: its parts are the makespan, with LB steps and after moves, too") {
  const Files files;
  for (const char* const strategy : {"none", "greedy", "rotate", "random"}) {
    REQUIRE(files.run({"--critical-path", "--lb", strategy, "--lb-period", "2"}) == "0");
    const json told = json_of(files.result), path = told["critical_path"];
    double sum = 0, ranks = 0;
    for (const char* const part :
         {"compute_s", "transfer_s", "collective_s", "balancing_s", "between_s", "waiting_s"})
      sum += path[part].get<double>();
    for (const json& rank : path["compute_of_ranks_s"]) ranks += rank[1].get<double>();
    CHECK(sum == doctest::Approx(told["makespan_s"].get<double>()));
    CHECK(ranks == doctest::Approx(path["compute_s"].get<double>()));
    // Only computing takes time on this machine.
    CHECK(path["compute_s"] == doctest::Approx(told["makespan_s"].get<double>()));
  }
}

TEST_CASE("critical path: of elements, through messages, reductions, and who shares their PE") {
  const Files files;
  files.folder.write("ideal.json", with_latency);
  // A[0] and A[1] are on PE 0, A[2] on PE 1. A[0] computes 5 us and calls A[2], which has done nothing before
  // and computes 3 us; then A[2], A[0] and A[1], whose 1 us comes after A[0] on its PE, contribute, and A[0]
  // goes on for 1 us.
  trace::Header header;
  header.native = true;
  header.pes = 2;
  header.labels = {"PE 0", "PE 1", "A[0]", "A[1]", "A[2]"};
  header.placement = {0, 1, 0, 0, 1};
  trace::TraceBuilder builder(header, 5);
  const auto begin = static_cast<std::int32_t>(builder.name("A::begin"));
  const auto take = static_cast<std::int32_t>(builder.name("A::take"));
  const auto add = [&](trace::ObjectIndex object, trace::EventKind kind, std::uint64_t burst_ns,
                       trace::Event more = {}) {
    more.kind = kind;
    more.burst_ns = burst_ns;
    builder.add(object, more);
  };
  const auto cause = [](trace::Cause why) { return static_cast<std::uint8_t>(why); };
  using enum trace::EventKind;
  add(0, end, 0);
  add(1, end, 0);
  for (const trace::ObjectIndex element : {2u, 3u}) {
    add(element, execute, 0, {.what = cause(trace::Cause::begin), .tag = begin});
    if (element == 2) add(2, call, 5000, {.partner = 4, .tag = take, .bytes = 8});
    add(element, contribute, element == 2 ? 0 : 1000, {.communicator = 1, .bytes = 8});
    add(element, finish, 0);
  }
  add(4, execute, 0, {.what = cause(trace::Cause::message), .partner = 2, .tag = take});
  add(4, contribute, 3000, {.communicator = 1, .bytes = 8});
  add(4, finish, 0);
  add(2, execute, 0, {.what = cause(trace::Cause::reduction), .communicator = 1, .tag = take});
  add(2, finish, 1000);
  for (const trace::ObjectIndex element : {2u, 3u, 4u}) add(element, end, 0);
  trace::write_trace(std::move(builder).finish(), files.trace);
  REQUIRE(files.run({"--pes", "2", "--critical-path", "--what-if", "A::take=3", "--what-if", "A::begin=5"}) ==
          "0");
  const json told = json_of(files.result), path = told["critical_path"];
  // The message takes 1 us: A[2] is done at 5 + 1 + 3 us, A[1] at 5 + 1; the value is on PE 0 at 10 us.
  CHECK(told["makespan_s"] == doctest::Approx(11 * us));
  CHECK(path["compute_s"] == doctest::Approx(9 * us));
  CHECK(path["transfer_s"] == doctest::Approx(1 * us));
  CHECK(path["collective_s"] == doctest::Approx(1 * us));
  CHECK(path["compute_of_objects_s"] == json::parse("[[2, 6e-06], [4, 3e-06]]"));
  CHECK(path["compute_of_regions_s"] == json::parse(R"([["A::begin", 5e-06], ["A::take", 4e-06]])"));
  // If A[2] and the end are three times as fast, A[2] is done at 5 + 1 + 1 us. If the 5 us become a fifth,
  // A[2] is done at 1 + 1 + 3.
  CHECK(told["what_if"][0]["makespan_s"] == doctest::Approx((5 + 1 + 1 + 1 + 1.0 / 3) * us));
  CHECK(told["what_if"][1]["makespan_s"] == doctest::Approx((5 + 1 + 1) * us));
}

TEST_CASE("critical path: of elements, its parts are the makespan, with LB steps, too") {
  const Files files;
  trace::write_trace(uneven_elements(6), files.trace);
  for (const char* const strategy : {"none", "greedy", "rotate"}) {
    REQUIRE(files.run({"--critical-path", "--lb", strategy, "--lb-period", "2"}) == "0");
    const json told = json_of(files.result), path = told["critical_path"];
    double sum = 0;
    for (const char* const part :
         {"compute_s", "transfer_s", "collective_s", "balancing_s", "between_s", "waiting_s"})
      sum += path[part].get<double>();
    CHECK(sum == doctest::Approx(told["makespan_s"].get<double>()));
    // Only computing takes time on this machine.
    CHECK(path["compute_s"] == doctest::Approx(told["makespan_s"].get<double>()));
  }
}

TEST_CASE("what if: regions and ranks compute faster, and what is not on the path gains nothing") {
  const Files files;
  files.folder.write("ideal.json", with_latency);
  write_pair(files.trace);
  REQUIRE(files.run({"--pes", "2", "--what-if", "solve=2", "--what-if", "rank 0=2", "--what-if",
                     "rank 1=2"}) == "0");
  const json told = json_of(files.result)["what_if"];
  CHECK(told[0]["makespan_s"] == doctest::Approx(6 * us));
  CHECK(told[1]["makespan_s"] == doctest::Approx(5.5 * us));
  CHECK(told[2]["makespan_s"] == doctest::Approx(7 * us));
  CHECK(holds(files.run({"--what-if", "slove=2"}),
              "nothing is called 'slove' in the trace; it has 'solve', and 'rank 0'"));
  CHECK(holds(files.run({"--what-if", "solve"}), "is not WHAT=FACTOR"));
  CHECK(holds(files.run({"--what-if", "solve=0"}), "FACTOR must be above 0"));
}

TEST_CASE("a simulated run is a trace: with its bursts, its waits, its LB steps") {
  const Files files;
  const std::string written = files.folder.file("simulated.sktrace");
  files.folder.write("ideal.json", R"({"name": "late", "nodes": 1, "pes_per_node": 4, "speed": 0.5,
                                       "node": {"latency_ns": 1000, "receive_byte_ns": 0}})");
  write_pair(files.trace);
  REQUIRE(files.run({"--pes", "2", "--trace", written}) == "0");
  const trace::Trace simulated = trace::read_trace(written);
  CHECK(simulated.header().pes == 2);
  // Half as fast: rank 0 sends at 10 us, and rank 1, which arrived at 2, goes on at 11 and ends at 15.
  trace::Cursor cursor = simulated.events(1);
  const trace::Event* received = cursor.next();
  CHECK(received->burst_ns == 2000);
  CHECK(received->call_ns == 9000);
  CHECK(cursor.next()->burst_ns == 4000);
  CHECK(json_of(files.result)["makespan_s"] == doctest::Approx(15 * us));

  trace::write_trace(uneven(4), files.trace);
  files.folder.write("ideal.json", ideal);
  REQUIRE(files.run({"--lb", "greedy", "--lb-period", "2", "--trace", written}) == "0");
  const trace::Trace balanced = trace::read_trace(written);
  REQUIRE(balanced.steps().size() == 2);
  CHECK(balanced.steps()[0].time_ns == 12'000'000);
  CHECK(balanced.header().placement == std::vector<trace::PeIndex>{0, 0, 1, 1, 2, 2, 3, 3});
  CHECK(holds(files.run({"--trace", files.trace}), "is an input, and would be overwritten"));
}

TEST_CASE(
    "a simulated run of a native program is a trace: its executions have what they waited before them") {
  const Files files;
  const std::string written = files.folder.file("simulated.sktrace");
  files.folder.write("ideal.json", ideal);
  trace::write_trace(uneven_elements(3), files.trace);
  REQUIRE(files.run({"--pes", "2", "--lb", "greedy", "--lb-period", "1", "--trace", written}) == "0");
  const trace::Trace simulated = trace::read_trace(written);
  CHECK(simulated.steps().size() == 3);
  // In each interval elements 2 and 3 compute 3 ms and six others 1 ms: balanced, 6 ms on each of two PEs. An
  // element goes on when all have stopped, so its executions and waits up to the k-th end within the k-th
  // interval.
  for (trace::ObjectIndex element = 2; element < 10; ++element) {
    trace::Cursor cursor = simulated.events(element);
    std::uint64_t now = 0, bursts = 0;
    while (const trace::Event* const event = cursor.next()) {
      now += event->call_ns + event->burst_ns;
      if (event->kind != trace::EventKind::finish) continue;
      CHECK(event->burst_ns == (element < 4 ? 3'000'000 : 1'000'000));
      if (++bursts > 1)
        CHECK((now > simulated.steps()[bursts - 2].time_ns && now <= simulated.steps()[bursts - 1].time_ns));
    }
    CHECK(bursts == 3);
  }
}

TEST_CASE(
    "a simulated run is a trace: executions stand in the order in which they were played, and messages are "
    "counted so") {
  trace::Header header;
  header.native = true;
  header.pes = 1;
  header.labels = {"PE 0", "A[0]", "A[1]"};
  trace::TraceBuilder builder(header, 3);
  builder.name("A::step");
  builder.add(0, {});
  const auto execute = [&](trace::ObjectIndex object, trace::Cause cause, std::uint64_t serial) {
    trace::Event begin =
        event(trace::EventKind::execute, 0, cause == trace::Cause::message ? 1 : trace::kAny);
    begin.bytes = 0;
    begin.what = static_cast<std::uint8_t>(cause);
    begin.serial = serial;
    builder.add(object, begin);
  };
  // A[0] calls A[1] in each of two executions, of 1 and 2 us.
  for (const std::uint64_t us : {1, 2}) {
    execute(1, trace::Cause::quiescence, 0);
    builder.add(1, event(trace::EventKind::call, us * 1000, 2));
    builder.add(1, event(trace::EventKind::finish, 0));
  }
  builder.add(1, {});
  for (const std::uint64_t serial : {0, 1}) {
    execute(2, trace::Cause::message, serial);
    builder.add(2, event(trace::EventKind::finish, 4000));
  }
  builder.add(2, {});
  // The second execution was played first.
  simulate::Timeline timeline;
  timeline.pes = 1;
  timeline.bursts = {
      {1, 0, 0, 2000, 4}, {1, 0, 2000, 3000, 1}, {2, 0, 3000, 7000, 1}, {2, 0, 7000, 11000, 3}};
  const trace::Trace played = simulate::as_recorded(std::move(builder).finish(), timeline, "by hand");
  trace::Cursor caller = played.events(1), called = played.events(2);
  std::vector<std::uint64_t> bursts, causes;
  while (const trace::Event* const each = caller.next())
    if (each->kind == trace::EventKind::call) bursts.push_back(each->burst_ns);
  while (const trace::Event* const each = called.next())
    if (each->kind == trace::EventKind::execute) causes.push_back(each->serial);
  CHECK(bursts == std::vector<std::uint64_t>{2000, 1000});
  CHECK(causes == std::vector<std::uint64_t>{1, 0});
}
