// SPDX-License-Identifier: Apache-2.0
// Jobs in which a reserved PE decides while the others continue: timelines worked out by hand.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/unit/simulate/rotating_job.hpp"

using namespace rotating_job;

TEST_CASE("lazy: the decision about the second point is applied at the fourth") {
  const Timeline timeline = simulate(two_ranks(4), three(), rotating("lazy", 2));
  // Point 1 is at 10,000, and a sleep of 10 follows. Point 2 is at 20,010: 100 for sending the shares of 32 +
  // 56 bytes, which are at PE 2 at 20,110 + 1000 + 44 and, the second, 44 later. PE 2 takes them, 50 each,
  // until 21,254, decides until 21,654, and sends the result: to PE 0 at 21,754, to PE 1 at 21,854. PEs 0 and
  // 1 hear it behind point 3, at 20,110 + 10 + 10,000 = 30,120, and promise the fourth point: at 30,270, 100
  // + 50 later. They compute on until 40,270 and hold there: PE 2 has heard both promises at 30,270 + 1000 +
  // 16 + 50 and 50 later, and has sent that all stop at point 4. That message has arrived long ago, and they
  // take it now, in 50.
  REQUIRE(timeline.steps.size() == 1);
  const StepRecord& step = timeline.steps[0];
  CHECK(step.at == 40320);
  CHECK(step.points == 4);
  CHECK(step.decide == 0);
  CHECK(step.collect == telling);
  CHECK(step.moved == 2);
  REQUIRE(step.late);
  CHECK(step.late->asked_at == 2);
  CHECK(step.late->applied_at == 4);
  CHECK(step.late->decide == 400);
  CHECK_FALSE(step.late->dropped);
  CHECK(step.late->drift.work_percent == doctest::Approx(0));  // 20,000 in two points, then and now
  // Point 4 inquires again, behind the step: 100 for that. The job ends before any result of it.
  const Ns resumed = 40320 + telling + moving;
  CHECK(timeline.makespan == resumed + 100 + 10 + 10000);
  CHECK(timeline.decisions == 2);
  CHECK(timeline.busy == std::vector<Ns>{40000, 40000, 10000, 10000});
  CHECK(timeline.placement[1] == std::vector<lb::PeIndex>{1, 0});
  CHECK(timeline.interval_end == std::vector<Ns>{resumed, resumed + 10110});
}

TEST_CASE("lazy: with wait=always, everybody holds where it was asked") {
  const Timeline timeline = simulate(two_ranks(3), three(), rotating("lazy:wait=always", 2));
  // Until 21,854 as above. PE 0 hears of the decision at 21,754 + 1000 + 16, promises, at 50 + 100 later, the
  // second point; PE 1 100 later. The second promise is at PE 2 at 23,020 + 1000 + 16, taken 50 later, and
  // the stop is sent to PE 1 at 24,086 + 200, is there 1016 later and taken in 50.
  REQUIRE(timeline.steps.size() == 1);
  const StepRecord& step = timeline.steps[0];
  CHECK(step.at == 25352);
  CHECK(step.late->asked_at == 2);
  CHECK(step.late->applied_at == 2);
  CHECK(timeline.makespan == 25352 + telling + moving + 10 + 10000 + 10 + 10000);
}

TEST_CASE("lazy: a share that is longer than a message goes in pieces") {
  // 400 ranks on PE 0, 56 bytes each: 16,288 of their 22,400 in the first message, 6,112 in the second, each
  // with 32 in front; each takes 100 to send. PE 1 only decides. Nothing moves from the only PE that
  // computes; the answer, which comes while the ranks continue, takes 50.
  Program program(400);
  for (unsigned rank = 0; rank < 400; ++rank) program.on(rank).sync(0, 1000).end(1000);
  Platform platform = apart(2);
  const Timeline timeline = simulate(program.finish(), platform, rotating("lazy", 1));
  CHECK(timeline.decisions == 1);
  CHECK(timeline.makespan == 400 * 2000 + 2 * 100 + 50);
  Program fewer(290);  // 16,240 bytes
  for (unsigned rank = 0; rank < 290; ++rank) fewer.on(rank).sync(0, 1000).end(1000);
  CHECK(simulate(fewer.finish(), platform, rotating("lazy", 1)).makespan == 290 * 2000 + 100 + 50);
}

TEST_CASE("lazy: behind a point where it leaves its share a rank gives way, and else goes on") {
  Program program(2);
  for (unsigned rank = 0; rank < 2; ++rank) program.on(rank).sync(0, 1000).sync(0, 1000).end(1000);
  Policy policy = rotating("lazy", 2);
  policy.keep_bursts = true;
  std::vector<trace::ObjectIndex> order;
  for (const BurstRecord& burst : simulate(program.finish(), apart(2), policy).bursts)
    order.push_back(burst.object);
  CHECK(order == std::vector<trace::ObjectIndex>{0, 0, 1, 1, 0, 1});
}

TEST_CASE("lazy: where nothing is to move nobody stops") {
  Policy policy = rotating("lazy", 1);
  policy.strategy = "greedy-refine";
  const Timeline timeline = simulate(two_ranks(5), three(), policy);
  CHECK(timeline.steps.empty());
  CHECK(timeline.decisions > 0);
  // Shares are 100 each; answers, which may be two by then, take 50 each. Nothing else is between the points.
  CHECK(timeline.makespan > 6 * 10000);
  CHECK(timeline.makespan < 6 * 10000 + 5 * (100 + 10 + 100));
}

TEST_CASE("lazy: a strategy that takes longer than the job costs it no more than its shares") {
  Platform platform = three();
  platform.decision_element_ns["rotate"] = 1e6;
  const Timeline timeline = simulate(two_ranks(4), platform, rotating("lazy", 2));
  CHECK(timeline.steps.empty());
  CHECK(timeline.makespan == 50000 + 4 * 10 + 2 * 100);
  CHECK(timeline.decisions == 1);
}

TEST_CASE("lazy: with a wait, a strategy that is slow idles everybody, until its patience is over") {
  Platform platform = three();
  platform.decision_element_ns["rotate"] = 1e6;  // 4 ms
  const auto last = [&](const char* mode) { return simulate(two_ranks(4), platform, rotating(mode, 2)); };
  const Timeline waits = last("lazy:wait=1");
  REQUIRE(waits.steps.size() == 1);
  CHECK(waits.steps[0].late->applied_at == 3);
  CHECK(waits.steps[0].at > 4000000);
  CHECK(waits.makespan > 4020000);
  // After 1 ms no rank waits any more, and the job is over before the decision.
  const Timeline impatient = last("lazy:wait=1,patience=0.001");
  CHECK(impatient.steps.empty());
  // PE 2 has both shares at 21,254, as in the first test, and then says so, to PE 1 last: 200 + 1000 + 16 and
  // 50. PE 1 continues from point 3, with a share at point 4.
  CHECK(impatient.makespan == 21254 + 1000000 + 1266 + 10 + 10000 + 100 + 10 + 10000);
  CHECK_THROWS_WITH_AS(last("lazy:wait=1,patience=0.001,silent=end"), doctest::Contains("the job would end"),
                       SimulationError);
}

TEST_CASE("lazy: a decision that drift has made worse than staying is dropped") {
  // Ranks 0 and 1 are on PE 0, 2 and 3 on PE 1. At the inquiry 0 and 1 have the work, and greedy puts 3 with
  // 0 and 2 with 1. Then 0 and 3 have it: in their places that is 31,000 a point on each PE, and as decided
  // 60,000 on one.
  constexpr std::uint64_t early[] = {60000, 59000, 2000, 1000}, late[] = {30000, 1000, 1000, 30000};
  Program program(4);
  for (unsigned rank = 0; rank < 4; ++rank) {
    program.on(rank);
    for (int point = 0; point < 7; ++point)
      program.collective(trace::Collective::barrier, 0, (point < 2 ? early : late)[rank]).sync(0);
    program.end(1000);
  }
  Policy policy = in_blocks();
  policy.strategy = "greedy";
  policy.mode = lb::parse_mode("lazy");
  policy.period = 2;
  const Timeline timeline = simulate(program.finish(), apart(3), policy);
  REQUIRE(timeline.steps.size() == 1);
  const StepRecord& step = timeline.steps[0];
  REQUIRE(step.late);
  CHECK(step.late->dropped);
  CHECK(step.moved == 0);
  CHECK(step.late->drift.changed_percent == doctest::Approx(100));
  // From 122,000 a point to 62,000.
  CHECK(step.late->drift.work_percent == doctest::Approx(-100 * 60.0 / 122));
  CHECK(step.late->drift.imbalance_percent == doctest::Approx(100 * (60.0 / 31 - 1)));
}
