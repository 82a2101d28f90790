// SPDX-License-Identifier: Apache-2.0
// Native programs: two PEs' own objects, 0 and 1, and elements from 2 on. On platform apart(2) a message of
// no bytes takes 100 + 1000 + 50.
#include <doctest/doctest.h>

#include "tests/unit/simulate/native_trace.hpp"

using namespace skein::simulate;
using skein::trace::Cause;
using skein::trace::EventKind;

namespace {

Policy recorded() {
  Policy policy;
  policy.placement = Placement::recorded;
  return policy;
}

}  // namespace

TEST_CASE("simulate: an execution begins when its message has come and the PE is free") {
  Native native(4, {0, 1, 1, 1});
  native.on(0).execute(Cause::begin).call(2, 10).call(3, 20).finish(5);
  native.on(2).execute(Cause::message, 0, 0).finish(5000);
  native.on(3).execute(Cause::message, 0, 1).finish(70);
  // The first leaves at 110 and is taken at 1160; the second is there at 230 + 1000, and is taken when the
  // first execution is over, at 6160: 50.
  CHECK(simulate(native.done(), apart(2), recorded()).makespan == 6160 + 50 + 70);
}

TEST_CASE("simulate: a broadcast goes down the tree, a reduction up, and its value to who waits") {
  Native native(4, {0, 1, 0, 1});
  native.on(0).execute(Cause::begin).broadcast(10).finish();
  native.on(2).execute(Cause::message, 0, 0).contribute(0, 300).finish();
  native.on(3).execute(Cause::message, 0, 0).contribute(0, 700).finish();
  native.on(3).execute(Cause::reduction, -1, 0, 1).finish(4);
  // To PE 1: out at 110, taken at 1160, contributed at 1860; up: taken at 3010; to the waiting element: 4160.
  CHECK(simulate(native.done(), apart(2), recorded()).makespan == 4160 + 4);
}

TEST_CASE("simulate: who waits for quiescence begins when nothing else is under way") {
  Native native(3, {0, 1, 1});
  native.on(0).execute(Cause::begin).call(2, 10).finish().execute(Cause::quiescence).finish(1);
  native.on(2).execute(Cause::message, 0, 0).finish(500);
  CHECK(simulate(native.done(), apart(2), recorded()).makespan >= 1160 + 500);
}

TEST_CASE("simulate: elements move in LB steps, and what runs outside of them does not") {
  Native native(4, {0, 1, 0, 1});
  native.on(0).execute(Cause::begin).call(2, 10).finish();
  for (const unsigned element : {2u, 3u}) {
    native.on(element)
        .execute(Cause::begin)
        .finish(element * 100)
        .sync(64)
        .execute(Cause::resumed)
        .finish(50);
  }
  native.on(2).execute(Cause::message, 0, 0).finish(7);
  Policy policy = recorded();
  policy.strategy = "rotate";
  const Timeline timeline = simulate(native.done(), apart(2), policy);
  CHECK(timeline.steps.size() == 1);
  CHECK(timeline.steps[0].moved == 2);
  CHECK(timeline.placement[1] == std::vector<skein::lb::PeIndex>{0, 1, 1, 0});
  // The message was sent before the step, and is taken before it, by an element that has stopped already.
  CHECK(timeline.busy == std::vector<Ns>{10 + 200 + 7, 300, 50, 50});
}

TEST_CASE("simulate: an element that was made later stops at the sync point at which its maker stops") {
  Native native(4, {0, 1, 0, 0});
  native.on(2).execute(Cause::begin).finish(100).sync(64);
  native.on(2).execute(Cause::resumed).create(3).finish(100).sync(64);
  native.on(2).execute(Cause::resumed).finish(100);
  native.on(3).execute(Cause::message, 2, 0).finish(100).sync(64).execute(Cause::resumed).finish(100);
  Policy policy = recorded();
  policy.strategy = "rotate";
  policy.period = 2;
  const Timeline timeline = simulate(native.done(), apart(2), policy);
  CHECK(timeline.steps.size() == 1);
  CHECK(timeline.steps[0].moved == 2);
}

TEST_CASE(
    "simulate: all that one message makes stops where its maker stops, though the maker does not know it") {
  Native native(5, {0, 1, 0, 0, 1});
  native.on(2).execute(Cause::begin).finish(100).sync(64);
  native.on(2).execute(Cause::resumed).create(-1).finish(100).sync(64);
  native.on(2).execute(Cause::resumed).finish(100);
  for (const skein::trace::ObjectIndex made : {3u, 4u})
    native.on(made).execute(Cause::message, 2, 0).finish().sync(64).execute(Cause::resumed).finish(100);
  Policy policy = recorded();
  policy.strategy = "rotate";
  policy.period = 2;
  const Timeline timeline = simulate(native.done(), apart(2), policy);
  CHECK(timeline.steps.size() == 1);
  CHECK(timeline.steps[0].moved == 3);
}

TEST_CASE("simulate: elements in blocks are where the program had them, and those of a PE stay together") {
  // Of PE 0: 2, 4 and 6; of PE 1: 3, 5 and 7, the numbers of the job.
  Native native(8, {0, 1, 0, 1, 0, 1, 0, 1});
  for (const unsigned element : {2u, 3u, 4u, 5u, 6u, 7u}) native.on(element).execute(Cause::begin).finish(1);
  const skein::trace::Trace trace = native.done();
  const auto elements_on = [&](std::uint32_t pes) {
    const auto placed = simulate(trace, apart(pes), Policy{}).placement.front();
    return std::vector<skein::lb::PeIndex>(placed.begin() + 2, placed.end());
  };
  using Pes = std::vector<skein::lb::PeIndex>;
  CHECK(elements_on(2) == Pes{0, 1, 0, 1, 0, 1});
  CHECK(elements_on(6) == Pes{0, 3, 1, 4, 2, 5});
  CHECK(elements_on(4) == Pes{0, 2, 0, 2, 1, 3});
  CHECK(elements_on(1) == Pes{0, 0, 0, 0, 0, 0});
}

TEST_CASE("simulate: what was caused by who had passed a sync point comes after the step at that point") {
  // In the recorded run no element stopped: 2 came to its sync point first and continued, so that its message
  // came to 3 before 3's own sync point.
  Native native(4, {0, 1, 0, 1});
  native.on(0).execute(Cause::begin).call(3, 400).finish();
  native.on(2).execute(Cause::begin).finish(100).sync(64).execute(Cause::resumed).call(3, 10).finish();
  native.on(3).execute(Cause::begin).finish(50);
  native.on(3).execute(Cause::message, 2, 0).finish(60);
  native.on(3).execute(Cause::message, 0, 0).finish(30).sync(64).execute(Cause::resumed).finish(7);
  Policy policy = recorded();
  policy.strategy = "rotate";
  const skein::trace::Trace trace = native.done();
  const Timeline timeline = simulate(trace, apart(2), policy);
  REQUIRE(timeline.steps.size() == 1);
  CHECK(timeline.steps[0].behind == 0);
  CHECK(timeline.steps[0].at == 400 + 1150 + 30);  // when 3 has had the message of 0
  CHECK(timeline.busy == std::vector<Ns>{400 + 100, 50 + 30, 7 + 60, 10});
  // If no element stops, all is as recorded; none comes to the first step of a period as long as this.
  policy.period = 1'000'000'000;
  CHECK(simulate(trace, apart(2), policy).makespan == 400 + 100 + 100 + 10 + 1150 + 60 + 30 + 7);
  policy.strategy = "none";
  CHECK(simulate(trace, apart(2), policy).makespan == 400 + 100 + 100 + 10 + 1150 + 60 + 30 + 7);
}

TEST_CASE("simulate: what serves elements on the way to a sync point goes on though others have passed it") {
  // 0, which comes to no sync point, had the next message of 2 first, and then that of 3, whose answer brings
  // 3 there.
  Native native(4, {0, 1, 0, 1});
  native.on(2).execute(Cause::begin).finish(10).sync(64).execute(Cause::resumed).call(0, 0).finish();
  native.on(3).execute(Cause::begin).call(0, 20).finish();
  native.on(3).execute(Cause::message, 0, 1).finish().sync(64).execute(Cause::resumed).finish();
  native.on(3).execute(Cause::message, 0, 0).finish(5);
  native.on(0).execute(Cause::message, 2, 0).call(3, 1).finish();
  native.on(0).execute(Cause::message, 3, 0).call(3, 2).finish();
  Policy policy = recorded();
  policy.strategy = "rotate";
  const Timeline timeline = simulate(native.done(), apart(2), policy);
  REQUIRE(timeline.steps.size() == 1);
  CHECK(timeline.steps[0].at == 20 + 1150 + 2 + 1150);
  CHECK(timeline.busy == std::vector<Ns>{10 + 2, 20, 5 + 1, 0});
}

TEST_CASE("simulate: what an LB step splits off begins with it") {
  Native native(4, {0, 1, 0, 1});
  native.on(2).execute(Cause::begin).finish(100).sync(64).split(3, 32).execute(Cause::resumed).finish(50);
  native.on(3).execute(Cause::resumed).finish(40);
  Policy policy = recorded();
  policy.strategy = "rotate";
  const Timeline timeline = simulate(native.done(), apart(2), policy);
  REQUIRE(timeline.steps.size() == 1);
  CHECK(timeline.busy[0] + timeline.busy[1] == 100);
  CHECK(timeline.busy[2] + timeline.busy[3] == 50 + 40);
}

TEST_CASE("simulate: a step at which elements wait for others that have stopped is told") {
  // 2 comes to its sync point, and continued in the recorded run: its message brings 3 to its own sync point.
  Native native(4, {0, 1, 0, 1});
  native.on(2).execute(Cause::begin).finish(100).sync(64).execute(Cause::resumed).call(3, 10).finish();
  native.on(3).execute(Cause::begin).finish(50).execute(Cause::message, 2, 0).finish(50).sync(64);
  native.on(3).execute(Cause::resumed).finish(7);
  Policy policy = recorded();
  policy.strategy = "greedy";
  const skein::trace::Trace trace = native.done();
  const Timeline timeline = simulate(trace, apart(2), policy);
  REQUIRE(timeline.steps.size() == 2);  // a run has one
  CHECK(timeline.steps[0].behind == 1);
  CHECK(timeline.steps[1].behind == 0);
  CHECK(to_json(timeline, trace, apart(2), policy).find("\"objects_behind\":1") != std::string::npos);
}

TEST_CASE("simulate: nobody is behind who is yet to be made, or has no sync point to come") {
  Native native(5, {0, 1, 0, 1, 0});
  native.on(2)
      .execute(Cause::begin)
      .finish(100)
      .sync(64)
      .execute(Cause::resumed)
      .create(3)
      .call(4, 1)
      .finish();
  native.on(3).execute(Cause::message, 2, 0).finish(50).sync(64).execute(Cause::resumed).finish(7);
  native.on(4).execute(Cause::begin).finish().execute(Cause::message, 2, 1).finish();
  Policy policy = recorded();
  policy.strategy = "greedy";
  for (const StepRecord& step : simulate(native.done(), apart(2), policy).steps) CHECK(step.behind == 0);
}

TEST_CASE(
    "simulate: an element that no step resumes goes on with what comes behind it, however much that is") {
  // `calls` executions of element 2 come behind the step, then one before it, then more behind it.
  for (int calls = 1; calls < 100; ++calls) {
    Native native(5, {0, 1, 0, 1, 1});
    native.on(2).execute(Cause::begin).sync(8).finish(10);
    native.on(3).execute(Cause::begin).sync(8).finish(10).execute(Cause::resumed);
    for (int call = 0; call < calls + 2; ++call) native.on(3).call(2, 5);
    native.on(3).finish();
    native.on(4).execute(Cause::begin).call(2, 5).sync(8).finish(10);
    for (int call = 0; call < calls; ++call) native.on(2).execute(Cause::message, 3, call).finish(100);
    native.on(2).execute(Cause::message, 4, 0).finish(100);
    for (int call = calls; call < calls + 2; ++call)
      native.on(2).execute(Cause::message, 3, call).finish(100);
    Policy policy = in_blocks();
    policy.strategy = "greedy";
    policy.period = 1;
    policy.placement = Placement::recorded;
    const Timeline timeline = simulate(native.done(), apart(2), policy);
    CHECK(timeline.steps.size() == 1);
    CHECK(timeline.pe_busy[0] + timeline.pe_busy[1] == 3 * 10 + 5 + (calls + 2) * 5 + (calls + 3) * 100);
  }
}
