// SPDX-License-Identifier: Apache-2.0
// Jobs in which reserved PEs decide, while all wait or while the others go on: timelines worked out by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "tests/unit/simulate/make_trace.hpp"

using namespace skein::simulate;
namespace lb = skein::lb;
namespace trace = skein::trace;

namespace {

// Two ranks, each of which computes 10,000 before each of its sync points and before its end. It sleeps for
// 10 behind each, in which its PE hears messages.
trace::Trace two_ranks(int points) {
  Program program(2);
  for (unsigned rank = 0; rank < 2; ++rank) {
    program.on(rank);
    for (int i = 0; i < points; ++i) program.sync(0, 10000).sleep(10);
    program.end(10000);
  }
  return program.finish();
}

// Two PEs that compute, and one that decides. A decision of `rotate`, on two objects and two PEs, takes 400.
Platform three() {
  Platform platform = apart(3);
  platform.decision_element_ns["rotate"] = 100;
  return platform;
}

Policy rotating(const char* mode, std::uint64_t period) {
  Policy policy = in_blocks();
  policy.strategy = "rotate";
  policy.mode = lb::parse_mode(mode);
  policy.period = period;
  return policy;
}

// Down a tree of two levels: 100 to send, 1000 on the way, 50 to receive, and half a nanosecond for each of
// the four bytes an object.
constexpr Ns telling = 2 * (100 + 1000 + 50 + 4);
// Two empty objects change places.
constexpr Ns moving = 1000;

std::string refusal(const char* mode, const char* strategy = "greedy", std::uint64_t period = 1,
                    std::uint32_t pes = 3) {
  Policy policy = rotating(mode, period);
  policy.strategy = strategy;
  try {
    (void)simulate(two_ranks(2), apart(pes), policy);
  } catch (const SimulationError& error) {
    return error.what();
  }
  return "";
}

bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("modes: decoupled, a reserved PE decides while all wait") {
  const Timeline timeline = simulate(two_ranks(1), three(), rotating("decoupled", 1));
  CHECK(timeline.pes == 2);
  CHECK(timeline.reserved_pes == 1);
  REQUIRE(timeline.steps.size() == 1);
  const StepRecord& step = timeline.steps[0];
  CHECK(step.at == 10000);
  CHECK(step.decide == 400);
  CHECK(step.collect == telling);
  CHECK(step.move == moving);
  CHECK_FALSE(step.late);
  const Ns resumed = 10000 + telling + 400 + moving;
  CHECK(timeline.makespan == resumed + 10 + 10000);
  CHECK(timeline.busy == std::vector<Ns>{10000, 10000, 10000, 10000});
  CHECK(timeline.placement[1] == std::vector<lb::PeIndex>{1, 0});
}

TEST_CASE("modes: decoupled, several reserved PEs decide together") {
  // Of two objects and two PEs, on two PEs: 5 + 4 / 2 * 100 + log2(2) * 30 + 2 * 7. Each of them gathers one
  // object, in 10; then all are told of the step, down a tree of two levels, and each PE of its object.
  Platform platform = apart(4);
  platform.together = {.element_ns = {{"rotate", 100}},
                       .ns = {{"rotate", 5}},
                       .level_ns = {{"rotate", 30}},
                       .pe_ns = {{"rotate", 7}},
                       .pes = {{"rotate", 2}}};
  platform.moves.collect_object_ns = 10;
  const Timeline timeline = simulate(two_ranks(1), platform, rotating("decoupled:pes=2", 1));
  CHECK(timeline.pes == 2);
  CHECK(timeline.reserved_pes == 2);
  REQUIRE(timeline.steps.size() == 1);
  constexpr Ns hears = 100 + 1000 + 50, collect = 10 + 2 * hears + (hears + 2);
  CHECK(timeline.steps[0].decide == 249);
  CHECK(timeline.steps[0].collect == collect);
  CHECK(timeline.makespan == 10000 + collect + 249 + moving + 10 + 10000);
  CHECK(timeline.placement[1] == std::vector<lb::PeIndex>{1, 0});
  // With three that compute the first of the two has those of PEs 0 and 1.
  Program program(3);
  for (unsigned rank = 0; rank < 3; ++rank) program.on(rank).sync(0, 1000).end(1000);
  platform.nodes = 5;
  CHECK(simulate(program.finish(), platform, rotating("decoupled:pes=2", 1)).steps.at(0).collect ==
        20 + 3 * hears + (hears + 2));
}

TEST_CASE("modes: a reserved PE has no objects, and is in no average") {
  Policy policy = rotating("decoupled:pes=1", 1);
  policy.strategy = "none";
  Program program(4);
  for (unsigned rank = 0; rank < 4; ++rank) program.on(rank).end(1000);
  const Timeline timeline = simulate(program.finish(), apart(3), policy);
  CHECK(timeline.placement[0] == std::vector<lb::PeIndex>{0, 0, 1, 1});
  CHECK(timeline.pe_busy == std::vector<Ns>{2000, 2000});
}

TEST_CASE("modes: lazy, the decision about the second point is applied at the fourth") {
  const Timeline timeline = simulate(two_ranks(4), three(), rotating("lazy", 2));
  // Point 1 at 10,000, and 10 asleep. Point 2 at 20,010: 100 for sending the share of 24 + 56 bytes, which
  // are at PE 2 at 20,110 + 1000 + 40 and, the second, 40 later. That one takes them, 50 each, until 21,250,
  // decides until 21,650, and says so: to PE 0 at 21,750, to PE 1 at 21,850.
  // They hear it behind point 3, at 20,110 + 10 + 10,000 = 30,120, and promise the fourth point: at 30,270,
  // 100 + 50 later. They compute on until 40,270 and hold there, for PE 2 has heard both promises at
  // 30,270 + 1000 + 12 + 50 and 50 later, and has told that all stop at point 4: that was there long ago, and
  // they take it now, in 50.
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
  // Point 4 asks again, once they are past the step: 100 for that, and the end comes before anything of it.
  const Ns resumed = 40320 + telling + moving;
  CHECK(timeline.makespan == resumed + 100 + 10 + 10000);
  CHECK(timeline.decisions == 2);
  CHECK(timeline.busy == std::vector<Ns>{40000, 40000, 10000, 10000});
  CHECK(timeline.placement[1] == std::vector<lb::PeIndex>{1, 0});
  CHECK(timeline.interval_end == std::vector<Ns>{resumed, resumed + 10110});
}

TEST_CASE("modes: lazy with wait=always, everybody holds where it was asked") {
  const Timeline timeline = simulate(two_ranks(3), three(), rotating("lazy:wait=always", 2));
  // Until 21,850 as above. PE 0 hears of the decision at 21,750 + 1000 + 12, promises, at 50 + 100 later, the
  // second point; PE 1 100 later. The second promise is at PE 2 at 23,012 + 1000 + 12, taken 50 later, and
  // PE 1 is told at 24,074 + 200, which is there 1012 later and taken in 50.
  REQUIRE(timeline.steps.size() == 1);
  const StepRecord& step = timeline.steps[0];
  CHECK(step.at == 25336);
  CHECK(step.late->asked_at == 2);
  CHECK(step.late->applied_at == 2);
  CHECK(timeline.makespan == 25336 + telling + moving + 10 + 10000 + 10 + 10000);
}

TEST_CASE("modes: lazy, where nothing is to move nobody stops") {
  Policy policy = rotating("lazy", 1);
  policy.strategy = "greedy-refine";
  const Timeline timeline = simulate(two_ranks(5), three(), policy);
  CHECK(timeline.steps.empty());
  CHECK(timeline.decisions > 0);
  // Shares are 100 each; answers, which may be two by then, take 50 each. Nothing else is between the points.
  CHECK(timeline.makespan > 6 * 10000);
  CHECK(timeline.makespan < 6 * 10000 + 5 * (100 + 10 + 100));
}

TEST_CASE("modes: lazy, a strategy that takes longer than the job costs it no more than its shares") {
  Platform platform = three();
  platform.decision_element_ns["rotate"] = 1e6;
  const Timeline timeline = simulate(two_ranks(4), platform, rotating("lazy", 2));
  CHECK(timeline.steps.empty());
  CHECK(timeline.makespan == 50000 + 4 * 10 + 2 * 100);
  CHECK(timeline.decisions == 1);
}

TEST_CASE("modes: lazy with a wait, a strategy that is slow idles everybody, until its patience is over") {
  Platform platform = three();
  platform.decision_element_ns["rotate"] = 1e6;  // 4 ms
  const auto last = [&](const char* mode) { return simulate(two_ranks(4), platform, rotating(mode, 2)); };
  const Timeline waits = last("lazy:wait=1");
  REQUIRE(waits.steps.size() == 1);
  CHECK(waits.steps[0].late->applied_at == 3);
  CHECK(waits.steps[0].at > 4000000);
  CHECK(waits.makespan > 4020000);
  // After 1 ms nobody waits any more, and the job is over before the decision.
  const Timeline impatient = last("lazy:wait=1,patience=0.001");
  CHECK(impatient.steps.empty());
  // PE 2 has both shares at 21,250, as above, and then says so, to PE 1 last: 200 + 1000 + 12 and 50. That
  // one goes on from point 3, with a share at point 4.
  CHECK(impatient.makespan == 21250 + 1000000 + 1262 + 10 + 10000 + 100 + 10 + 10000);
  CHECK_THROWS_WITH_AS(last("lazy:wait=1,patience=0.001,silent=end"), doctest::Contains("the job would end"),
                       SimulationError);
}

TEST_CASE("modes: a decision that drift has made worse than staying is dropped") {
  // Ranks 0 and 1 are on PE 0, 2 and 3 on PE 1. Where they are asked 0 and 1 have the work, and greedy puts 3
  // with 0 and 2 with 1. Then 0 and 3 have it: where they are that is 31,000 a point on each PE, and as
  // decided 60,000 on one.
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

TEST_CASE("modes: with wait=auto, who decides slowly is waited for where balance is lost, and nowhere else") {
  // Rank 0 takes 1000 and each rank 10,000 before each of 120 points; or, if they drift, rank 0 takes 5 % of
  // 10,000 more at each point. Deciding takes 30 points.
  const auto last = [](bool drifts, const char* mode) {
    Program program(4);
    for (unsigned rank = 0; rank < 4; ++rank) {
      program.on(rank);
      for (int point = 0; point < 120; ++point)
        program
            .collective(trace::Collective::barrier, 0,
                        10000 + (rank == 0 ? (drifts ? 500u * static_cast<unsigned>(point) : 1000u) : 0u))
            .sync(0);
      program.end();
    }
    Policy policy = rotating(mode, 2);
    Platform platform = apart(3);
    platform.decision_element_ns["rotate"] = 1e5;
    return simulate(program.finish(), platform, policy);
  };
  const auto latest = [](const Timeline& timeline) {
    std::uint64_t most = 0;
    for (const StepRecord& step : timeline.steps)
      most = std::max(most, step.late->applied_at - step.late->asked_at);
    return most;
  };
  REQUIRE(last(false, "lazy").steps.size() > 1);
  CHECK(last(false, "lazy:wait=auto").makespan == last(false, "lazy").makespan);
  // The first decision came late, as nothing was known. With waits all others come soon.
  const Timeline drifting = last(true, "lazy:wait=auto");
  REQUIRE(drifting.steps.size() > 3);
  for (std::size_t i = 2; i < drifting.steps.size(); ++i) {
    // At point p a PE takes (40,000 + 500 p) / 2 if all are level, and rank 0's 250 more with each point; and
    // they stop at the point after the one where the last one holds.
    const LateRecord& late = *drifting.steps[i].late;
    const double rate = 250 / (20000 + 250 * static_cast<double>(late.asked_at));
    CHECK(static_cast<double>(late.applied_at - late.asked_at) <= std::log(1.1) / std::log1p(rate) + 1);
  }
  CHECK(latest(last(true, "lazy")) > 20);
}

TEST_CASE("modes: computing is conserved, and every job ends, whatever the mode") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t ranks = 2 + random() % 7;
    Program program(ranks);
    Ns sum = 0;
    for (unsigned rank = 0; rank < ranks; ++rank) {
      program.on(rank);
      const std::size_t points = 3 + random() % 20;  // some end early
      for (std::size_t i = 0; i < points; ++i) {
        const std::uint64_t burst = 500 + random() % 30000;
        sum += static_cast<Ns>(burst);
        program.sync(random() % 1000, burst);
        if (random() % 3) program.sleep(10 + random() % 3000);
      }
      program.end(1000);
      sum += 1000;
    }
    const trace::Trace trace = program.finish();
    for (const char* const mode : {"decoupled", "lazy", "lazy:wait=1", "lazy:wait=always", "lazy:wait=auto"})
      for (const char* const strategy : {"random", "greedy-refine", "refine-comm"}) {
        Policy policy = rotating(mode, 1 + random() % 3);
        policy.strategy = strategy;
        policy.seed = static_cast<std::uint64_t>(trial);
        const Platform platform = apart(2 + static_cast<std::uint32_t>(random() % 3));
        const Timeline timeline = simulate(trace, platform, policy);
        Ns busy = 0;
        for (const Ns ns : timeline.pe_busy) busy += ns;
        CHECK(busy == sum);
        CHECK(timeline.pe_busy.size() == platform.pe_count() - 1);
        CHECK(timeline.interval_end.back() == timeline.makespan);
        CHECK(timeline.interval_end.size() == timeline.steps.size() + 1);
        const std::string first = to_json(timeline, trace, platform, policy);
        CHECK(first == to_json(simulate(trace, platform, policy), trace, platform, policy));
      }
  }
}

TEST_CASE("modes: what cannot be is refused, with what to do") {
  CHECK(holds(refusal("lazy:pes=3"),
              "mode 'lazy:pes=3': 3 PEs only decide, and platform 'apart' has 3: none is left to compute"));
  CHECK(holds(refusal("decoupled:pes=2"), "'greedy' decides on one PE: take pes=1, or one of "));
  CHECK(holds(refusal("decoupled:pes=2", "auto"), "'auto' decides on one PE"));
  CHECK(holds(refusal("decoupled:pes=2", "rotate"),
              "platform 'apart' does not say what strategy 'rotate' takes on several PEs (together)"));
  CHECK(holds(refusal("decoupled:pes=2", "rotate", 0), "an automatic period"));
  CHECK(
      holds(refusal("lazy:pes=2", "rotate"), "is not simulated in mode lazy: take pes=1, or mode decoupled"));
  CHECK(holds(refusal("lazy:thread"), "is not simulated; take lazy:pes=1"));
  CHECK(holds(refusal("lazy", "greedy", 0), "the period is automatic"));
  CHECK(holds(refusal("lazy", "auto"), "calls MPI, or may"));
  CHECK(refusal("decoupled", "auto", 0).empty());
}
