// SPDX-License-Identifier: Apache-2.0
// Finds what cannot be right in traces.
#include <doctest/doctest.h>

#include "skein/lb/trace_check.hpp"
#include "tests/unit/trace/events.hpp"

using namespace skein::trace;
using namespace skein::trace::test;

namespace {

std::string findings(const Trace& trace) {
  std::string text;
  const CheckResult result = check_trace(trace);
  for (const Finding& one : result.findings)
    text += (one.weight == Finding::Weight::error ? "E " : "N ") + one.text + "\n";
  return text;
}

std::string findings(const Streams& streams, const std::vector<Communicator>& communicators = {}) {
  return findings(trace_of(streams, communicators));
}

}  // namespace

TEST_CASE("check: a program that is right") {
  const Event all = collective(Collective::allreduce, 8);
  CHECK(findings({{send(1, 10), ireceive(kAny, 20, kAny), matched(0, 1, 20, 5), wait_for(1), all,
                   sync_point(), end_of_object()},
                  {receive(0, 10), isend(0, 20, 5), wait_for(1), all, sync_point(), end_of_object()}}) == "");
}

TEST_CASE("check: messages without receive and receives without message, at the right event") {
  CHECK(findings({{send(1, 10, 7), send(1, 10, 7), send(1, 10, 7), end_of_object()},
                  {receive(0, 10, 7), receive(0, 10, 7), end_of_object()}}) ==
        "N object 0, event 2: the message to object 1 with tag 7 on communicator 0 is never received: 3 are "
        "sent and 2 received; was a receive cancelled, or a rank left out? Record the run anew\n");
  CHECK(findings({{send(1, 10, 7), end_of_object()},
                  {receive(0, 10, 7), sync_point(), ireceive(0, 10, 7), wait_for(1), end_of_object()}})
            .starts_with(
                "E object 1, event 3: the message from object 0 with tag 7 on communicator 0 was never "
                "sent: 2 are received and 1 sent"));
  // Requests of sends and of receives are counted together.
  CHECK(findings({{send(1, 10), receive(1, 5), end_of_object()},
                  {ireceive(0, 10), isend(0, 5), wait_for(2), end_of_object()}}) == "");
  // A receive that is started and never waited for takes no message.
  CHECK(findings({{end_of_object()}, {ireceive(0, 10, 7), end_of_object()}}) == "");
}

TEST_CASE("check: sizes of messages") {
  CHECK(findings({{send(1, 10), end_of_object()}, {receive(0, 11), end_of_object()}})
            .starts_with(
                "N object 0, event 0: sends 10 B in 1 messages to object 1 with tag 0 on communicator 0, "
                "which received 11 B"));
  // A nonblocking receive records how many bytes it had room for.
  CHECK(findings({{send(1, 10), end_of_object()}, {ireceive(0, 11), wait_for(1), end_of_object()}}) == "");
}

TEST_CASE("check: wildcards tell what they got") {
  CHECK(
      findings({{send(1, 10), end_of_object()}, {ireceive(kAny, 10), wait_for(1), end_of_object()}})
          .starts_with("E object 1, event 1: a receive of any source or tag is complete, but nothing tells"));
  CHECK(
      findings({{send(1, 10), end_of_object()}, {receive(kAny, 10), end_of_object()}})
          .starts_with(
              "E object 1, event 0: a blocking receive lacks the source or tag of the message that it got"));
}

TEST_CASE("check: requests that were cancelled have no message") {
  Event cancel = matched(0, kAny, 0, kAny);
  CHECK(findings({{ireceive(1, 20), cancel, wait_for(1), end_of_object()}, {end_of_object()}}) == "");
  CHECK(findings({{ireceive(kAny, 20, kAny), cancel, wait_for(1), end_of_object()}, {end_of_object()}}) ==
        "");
  CHECK(findings({{isend(1, 20), cancel, wait_for(1), end_of_object()}, {end_of_object()}}) == "");
  // One of two sends of a channel was cancelled; the other one has a message.
  const Event first = matched(1, kAny, 0, kAny);
  CHECK(findings({{isend(1, 20), isend(1, 30), first, wait_for(2), end_of_object()},
                  {receive(0, 30), end_of_object()}}) == "");
  CHECK(findings({{isend(1, 20), isend(1, 30), wait_for(2), end_of_object()},
                  {receive(0, 30), end_of_object()}}) != "");
}

TEST_CASE("check: requests are waited for once") {
  CHECK(findings(
            {{isend(1, 10), wait_for(1), wait_for(1), end_of_object()}, {receive(0, 10), end_of_object()}}) ==
        "E object 0, event 2: request 0 is waited for that was complete before; record the run anew\n");
}

TEST_CASE("check: collectives agree") {
  const Event all = collective(Collective::allreduce, 8), end = end_of_object();
  CHECK(findings({{all, end}, {collective(Collective::barrier), end}}) ==
        "E object 1, event 0: collective 0 on communicator 0 is barrier, at object 0 it is allreduce; the "
        "program is wrong there, or the trace was not recorded by Skein\n");
  CHECK(findings({{collective(Collective::bcast, 8, 0), end}, {collective(Collective::bcast, 8, 1), end}})
            .starts_with(
                "E object 1, event 0: collective 0 on communicator 0 is bcast with root 1, at object 0 it "
                "is bcast with root 0"));
  CHECK(findings({{all, end}, {collective(Collective::allreduce, 9), end}})
            .starts_with(
                "N object 1, event 0: collective 0 on communicator 0 is allreduce of 9 B, at object 0 of "
                "8 B"));
  CHECK(
      findings({{all, all, end}, {all, end}}) ==
      "E object 1, event 2: it makes 1 collectives on communicator 0, object 0 makes 2; did it end early?\n");
  CHECK(findings({{all, end}, {all, all, end}})
            .starts_with(
                "E object 1, event 1: collective 1 on communicator 0 is allreduce, but object 0 makes only "
                "1"));
  CHECK(findings({{all, end}, {end}}) ==
        "E object 1, event 1: it makes no collective on communicator 0, but object 0 makes 1; did it end "
        "early?\n");
  const std::vector<Communicator> pair{Communicator{3, {0, 1}, {}}};
  const Event of_pair = collective(Collective::barrier, 0, kAny, 3);
  CHECK(findings({{of_pair, end}, {of_pair, end}, {end}}, pair) == "");
  CHECK(
      findings({{of_pair, end}, {of_pair, end}, {of_pair, end}}, pair) ==
      "E object 2, event 0: a collective on communicator 3, of which it is no member; record the run anew\n");
}

TEST_CASE("check: starts of persistent collectives agree one by one, in whichever order they come") {
  const auto start = [](std::int32_t which, Collective kind) {
    Event event = collective(kind, 8);
    event.tag = which;
    return event;
  };
  const Event first = start(1, Collective::allreduce), second = start(2, Collective::bcast),
              between = collective(Collective::barrier), end = end_of_object();
  CHECK(findings({{first, second, between, first, end}, {between, first, first, second, end}}) == "");
  CHECK(
      findings({{first, second, end}, {first, start(2, Collective::reduce), end}})
          .starts_with("E object 1, event 1: collective 0 on communicator 0 (persistent one 2) is reduce, at "
                       "object 0 it is bcast"));
  CHECK(findings({{first, first, second, end}, {first, second, end}}) ==
        "E object 1, event 3: it makes 1 collectives on communicator 0 (persistent one 1), object 0 makes 2; "
        "did it end early?\n");
  CHECK(findings({{first, second, end}, {first, end}}) ==
        "E object 1, event 2: it makes no collective on communicator 0 (persistent one 2), but object 0 "
        "makes 1; "
        "did it end early?\n");
}

TEST_CASE("check: roots of intercommunicators are each group's own") {
  const std::vector<Communicator> between{Communicator{3, {0}, {1}}};
  CHECK(findings({{collective(Collective::bcast, 8, kAny, 3), end_of_object()},
                  {collective(Collective::bcast, 8, 0, 3), end_of_object()}},
                 between) == "");
}

TEST_CASE("check: ends, sync points and regions") {
  CHECK(
      findings({{sync_point()}}).starts_with("N object 0, event 1: the stream ends without the event `end`"));
  CHECK(findings({{end_of_object(), sync_point()}})
            .starts_with("E object 0, event 1: an event after the object's end"));
  CHECK(findings({{sync_point(), end_of_object()}, {end_of_object()}}) ==
        "N object 1, event 1: it meets 0 sync points, object 0 meets 1; did it end early?\n");
  TraceBuilder builder({}, 1);
  const std::uint64_t names[] = {builder.name("a"), builder.name("b")};
  Event region = end_of_object();
  region.kind = EventKind::region_begin;
  region.list = {&names[0], 1};
  builder.add(0, region);
  region.kind = EventKind::region_end;
  region.list = {&names[1], 1};
  builder.add(0, region);
  builder.add(0, end_of_object());
  CHECK(findings(std::move(builder).finish()) ==
        "N object 0, event 1: region 'b' is left, but the one entered last is 'a'; look at the program's "
        "calls of "
        "MPI_Pcontrol\nN object 0, event 3: region 'a' is never left; the program lacks a MPI_Pcontrol(-1, "
        "...)\n");
}

TEST_CASE("check: of the ends of streams nothing is looked at but that") {
  Header header;
  header.ends_only = true;
  TraceBuilder builder(header, 2);
  Event receive = message(EventKind::receive, 1, 8);
  builder.add(0, receive);
  builder.add(0, end_of_object());
  builder.add(1, end_of_object());
  const CheckResult result = check_trace(std::move(builder).finish());
  CHECK(result.errors == 1);
  CHECK(result.notes == 0);
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].text ==
        "it has only the ends of its streams (--trace FILE:last=SECONDS), which cannot be played: record the "
        "whole run");
}

TEST_CASE("check: entry methods begin and end, and were caused") {
  Header header;
  header.native = true;
  header.pes = 1;
  TraceBuilder names({}, 0);
  const auto execute = [](Cause cause, std::int32_t partner, std::uint64_t serial) {
    Event event = message(EventKind::execute, partner, 0);
    event.what = static_cast<std::uint8_t>(cause);
    event.serial = serial;
    return event;
  };
  const Event finish = message(EventKind::finish, kAny, 0), call = message(EventKind::call, 1, 8);
  const auto of = [&](const Streams& streams) {
    TraceBuilder builder(header, streams.size());
    builder.name("method");
    for (ObjectIndex object = 0; object < streams.size(); ++object)
      for (const Event& event : streams[object]) builder.add(object, event);
    return findings(std::move(builder).finish());
  };
  const std::vector<Event> main{execute(Cause::begin, kAny, 0), call, finish, end_of_object()};
  CHECK(of({main, {execute(Cause::message, 0, 0), finish, end_of_object()}}) == "");
  CHECK(of({main, {execute(Cause::message, 0, 1), finish, end_of_object()}}) ==
        "E object 1, event 0: an entry method is run by message 1 of object 0, which sends 1; is its stream "
        "cut short?\n");
  CHECK(of({main, {execute(Cause::message, 0, 0), execute(Cause::message, 0, 0), finish, end_of_object()}})
            .starts_with("E object 1, event 1: an entry method begins inside another"));
  CHECK(of({main, {finish, end_of_object()}})
            .starts_with("E object 1, event 0: an entry method ends that did not begin"));
  CHECK(of({main, {execute(Cause::reduction, kAny, 4), finish, end_of_object()}})
            .starts_with(
                "E object 1, event 0: an entry method is run by reduction 4 of array 0, to which nobody "
                "contributes"));
}

TEST_CASE("check: what is found too often is counted") {
  std::vector<Event> sends(50, send(1, 1));
  for (std::int32_t k = 0; k < 50; ++k) sends[static_cast<std::size_t>(k)].tag = k;
  sends.push_back(end_of_object());
  const CheckResult result = check_trace(trace_of({sends, {end_of_object()}}), 4);
  CHECK(result.findings.size() == 4);
  CHECK(result.notes == 50);
  CHECK(result.errors == 0);
}

TEST_CASE("info: sums over a small program, by hand") {
  Header header;
  header.pes = 2;
  header.placement = {0, 1, 1};
  const Trace trace = trace_of({{after(100, send(1, 10)), after(20, sync_point(1000)), end_of_object(30)},
                                {after(40, receive(0, 10)), after(10, isend(2, 5)), wait_for(1, 400),
                                 sync_point(2000), end_of_object()},
                                {ireceive(1, 5), wait_for(1, 7), sync_point(10), end_of_object(100)}},
                               {}, header);
  const TraceInfo info = trace_info(trace);
  CHECK(info.events == 12);
  CHECK(info.events_by_kind[static_cast<std::size_t>(EventKind::send)] == 2);
  CHECK(info.events_by_kind[static_cast<std::size_t>(EventKind::end)] == 3);
  CHECK(info.messages == 2);
  CHECK(info.bytes == 15);
  CHECK(info.syncs == 1);
  CHECK(info.compute_ns == 300);
  CHECK(info.duration_ns == 450);
  CHECK(info.objects[0].compute_ns == 150);
  CHECK(info.objects[1].call_ns == 400);
  CHECK(info.objects[1].largest_bytes == 2000);
  CHECK(info.imbalance == doctest::Approx(50));      // 150 over a mean of 100
  CHECK(info.pe_imbalance == doctest::Approx(0.0));  // 150 on both PEs
}

TEST_CASE("info: regions with those inside them, and counters, by hand") {
  Header header;
  header.counters = {"MISSES"};
  TraceBuilder builder(header, 2);
  const std::uint64_t step[] = {builder.name("step")}, solve[] = {builder.name("solve")};
  builder.name("never");
  const std::int64_t two[] = {2}, five[] = {5};
  const auto add = [&](ObjectIndex object, EventKind kind, std::uint64_t burst,
                       std::span<const std::uint64_t> list = {}) {
    builder.add(object, {.kind = kind, .list = list, .burst_ns = burst, .counters = object ? five : two});
  };
  add(0, EventKind::region_begin, 1, step);    // 1 is outside
  add(0, EventKind::region_begin, 10, solve);  // of step
  add(0, EventKind::region_begin, 100, solve);
  add(0, EventKind::region_end, 1000, solve);
  add(0, EventKind::region_end, 10'000, solve);  // of both: 11,100
  add(0, EventKind::region_end, 100'000, step);
  add(0, EventKind::end, 7);
  add(1, EventKind::region_begin, 3, solve);
  builder.add(1, {.kind = EventKind::sleep, .burst_ns = 20, .call_ns = 40, .counters = five});
  add(1, EventKind::region_end, 200, solve);
  add(1, EventKind::region_end, 0, solve);  // of nothing
  add(1, EventKind::end, 9);
  const TraceInfo info = trace_info(std::move(builder).finish());
  REQUIRE(info.named.size() == 2);
  CHECK(info.named[0].name == "step");
  CHECK(info.named[0].times == 1);
  CHECK(info.named[0].compute_ns == 111'110);
  CHECK(info.named[1].name == "solve");
  CHECK(info.named[1].times == 3);
  CHECK(info.named[1].objects == 2);
  CHECK(info.named[1].compute_ns == 11'100 + 220);
  CHECK(info.named[1].call_ns == 40);
  CHECK(info.named[1].most_ns == 11'100);
  CHECK(info.named[1].most_of == 0);
  CHECK(info.counters == std::vector<std::int64_t>{7 * 2 + 5 * 5});
}

TEST_CASE("info: entry methods of a native program") {
  Header header;
  header.native = true;
  TraceBuilder builder(header, 2);
  const auto run = static_cast<std::int32_t>(builder.name("A::run"));
  const auto look = static_cast<std::int32_t>(builder.name("A::look"));
  for (const auto& [method, burst] : {std::pair{run, 30u}, {look, 5u}, {run, 40u}}) {
    builder.add(1,
                {.kind = EventKind::execute, .what = static_cast<std::uint8_t>(Cause::begin), .tag = method});
    builder.add(1, {.kind = EventKind::finish, .burst_ns = burst});
  }
  const TraceInfo info = trace_info(std::move(builder).finish());
  REQUIRE(info.named.size() == 2);
  CHECK(info.named[0].name == "A::run");
  CHECK(info.named[0].times == 2);
  CHECK(info.named[0].compute_ns == 70);
  CHECK(info.named[1].compute_ns == 5);
}

TEST_CASE("info: names of kinds") {
  CHECK(name_of(EventKind::finish) == "finish");
  CHECK(name_of(Collective::exscan) == "exscan");
}

TEST_CASE(
    "info, check: of a native program's objects, elements are what can move, and nobody's numbers none") {
  Header header;
  header.native = true;
  header.pes = 2;
  header.placement = {0, 1, 0, 1, 0, 1};
  header.labels = {"PE 0", "PE 1", "A[0]", "A[1]", "A[2]", ""};
  const Trace trace = trace_of({{end_of_object(1000)},
                                {end_of_object()},
                                {after(100, sync_point(1)), end_of_object()},
                                {after(200, sync_point(1)), end_of_object()},
                                {after(300, sync_point(1)), end_of_object()},
                                {}},
                               {}, header);
  CHECK(trace.object_count() == 6);
  CHECK(trace.movable_count() == 3);
  const TraceInfo info = trace_info(trace);
  CHECK(info.syncs == 1);
  CHECK(info.imbalance == doctest::Approx(50));     // 300 over a mean of 200
  CHECK(info.pe_imbalance == doctest::Approx(75));  // 1400 over a mean of 800
  CHECK(findings(trace) == "");
}
