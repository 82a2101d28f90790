// SPDX-License-Identifier: Apache-2.0
// Jobs in which reserved PEs decide while all wait, for any mode; and impossible modes.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "tests/unit/simulate/rotating_job.hpp"

using namespace rotating_job;

namespace {

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

// On three computing PEs, the snapshot has a PE more, and the tree a level more.
TEST_CASE("modes: decoupled, a PE that computes decides while all wait") {
  Program program(3);
  for (unsigned rank = 0; rank < 3; ++rank) program.on(rank).sync(0, 10000).end(10000);
  const trace::Trace trace = program.finish();
  const Timeline timeline = simulate(trace, three(), rotating("decoupled", 1));
  CHECK(timeline.pes == 3);
  CHECK(timeline.reserved_pes == 0);
  REQUIRE(timeline.steps.size() == 1);
  const StepRecord& step = timeline.steps[0];
  CHECK(step.at == 10000);
  CHECK(step.decide == 3 * 100 + 3 * 100);
  CHECK(step.collect ==
        2 * (100 + 1000 + 50 + 6));  // down a tree of two levels, half a ns for each of 12 bytes
  CHECK(step.move == moving);
  CHECK(timeline.makespan == 10000 + step.collect + 600 + moving + 10000);
  CHECK(timeline.placement[1] == std::vector<lb::PeIndex>{1, 2, 0});
  // Only the telling takes more than inline, where each PE decides alone.
  CHECK(simulate(trace, three(), rotating("inline", 1)).makespan == timeline.makespan - step.collect);
}

TEST_CASE("modes: decoupled, two of three PEs that compute decide together") {
  Platform platform = two_and_two();
  platform.nodes = 3;
  Program program(3);
  for (unsigned rank = 0; rank < 3; ++rank) program.on(rank).sync(0, 1000).end(1000);
  const trace::Trace trace = program.finish();
  const Timeline timeline = simulate(trace, platform, rotating("decoupled:pes=2", 1));
  CHECK(timeline.pes == 3);
  REQUIRE(timeline.steps.size() == 1);
  // Two PEs decide about three objects and three PEs; the first has the objects of PEs 0 and 1.
  CHECK(timeline.steps[0].decide == 5 + 6 * 100 / 2 + 30 + 2 * 7);
  CHECK(timeline.steps[0].collect == 20 + 2 * hears + (hears + 2));
  // All three PEs may decide.
  CHECK(simulate(trace, platform, rotating("decoupled:pes=3", 1)).steps.at(0).collect ==
        10 + 2 * hears + (hears + 2));
}

TEST_CASE("modes: decoupled:reserved, a PE that only decides does so while all wait") {
  const Timeline timeline = simulate(two_ranks(1), three(), rotating("decoupled:reserved", 1));
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

TEST_CASE("modes: decoupled:reserved, several reserved PEs decide together") {
  Platform platform = two_and_two();
  const Timeline timeline = simulate(two_ranks(1), platform, rotating("decoupled:reserved,pes=2", 1));
  CHECK(timeline.pes == 2);
  CHECK(timeline.reserved_pes == 2);
  REQUIRE(timeline.steps.size() == 1);
  CHECK(timeline.steps[0].decide == 249);
  CHECK(timeline.steps[0].collect == collecting_of_two);
  CHECK(timeline.makespan == 10000 + collecting_of_two + 249 + moving + 10 + 10000);
  CHECK(timeline.placement[1] == std::vector<lb::PeIndex>{1, 0});
  // With three computing PEs, the first of the two deciding ones has the objects of PEs 0 and 1.
  Program program(3);
  for (unsigned rank = 0; rank < 3; ++rank) program.on(rank).sync(0, 1000).end(1000);
  platform.nodes = 5;
  CHECK(simulate(program.finish(), platform, rotating("decoupled:reserved,pes=2", 1)).steps.at(0).collect ==
        20 + 3 * hears + (hears + 2));
}

TEST_CASE("modes: a reserved PE has no objects, and is in no average") {
  Policy policy = rotating("decoupled:reserved,pes=1", 1);
  policy.strategy = "none";
  Program program(4);
  for (unsigned rank = 0; rank < 4; ++rank) program.on(rank).end(1000);
  const Timeline timeline = simulate(program.finish(), apart(3), policy);
  CHECK(timeline.placement[0] == std::vector<lb::PeIndex>{0, 0, 1, 1});
  CHECK(timeline.pe_busy == std::vector<Ns>{2000, 2000});
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
    for (const char* const mode :
         {"decoupled", "lazy", "lazy:wait=1", "lazy:wait=always", "decoupled:pes=2", "decoupled:reserved",
          "decoupled:reserved,pes=2", "lazy:pes=2", "lazy:pes=3,wait=1"})
      for (const char* const strategy : {"random", "greedy-refine", "refine-comm"}) {
        Policy policy = rotating(mode, 1 + random() % 3);
        policy.strategy = strategy;
        policy.seed = static_cast<std::uint64_t>(trial);
        const auto reserved = static_cast<std::uint32_t>(policy.mode.reserved_pes());
        const auto deciding = static_cast<std::uint32_t>(policy.mode.deciding_pes);
        if (deciding > 1 && policy.strategy != "random") continue;  // decides on one PE
        Platform platform =
            apart(std::max(1 + reserved, deciding) + static_cast<std::uint32_t>(random() % 3));
        platform.together.element_ns["random"] = static_cast<double>(1 + random() % 1000);
        const Timeline timeline = simulate(trace, platform, policy);
        Ns busy = 0;
        for (const Ns ns : timeline.pe_busy) busy += ns;
        CHECK(busy == sum);
        CHECK(timeline.pe_busy.size() == platform.pe_count() - reserved);
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
  CHECK(holds(refusal("decoupled:pes=4"), "4 PEs are to decide, and platform 'apart' has 3"));
  CHECK(holds(refusal("decoupled:pes=2"), "'greedy' decides on one PE: take pes=1, or one of "));
  CHECK(holds(refusal("decoupled:pes=2", "auto"), "'auto' decides on one PE"));
  CHECK(holds(refusal("decoupled:pes=2", "rotate"),
              "platform 'apart' does not say what strategy 'rotate' takes on several PEs (together)"));
  CHECK(holds(refusal("decoupled:pes=2", "rotate", 0), "an automatic period"));
  CHECK(holds(refusal("lazy:pes=2", "rotate"), "does not say what strategy 'rotate' takes on several PEs"));
  CHECK(holds(refusal("lazy:thread"), "is not simulated; take lazy:pes=1"));
  CHECK(holds(refusal("lazy", "greedy", 0), "the period is automatic"));
  CHECK(refusal("lazy", "auto").empty());
  CHECK(refusal("decoupled", "auto", 0).empty());
}

TEST_CASE("modes: for how many PEs that decide together a platform can be trusted") {
  Platform platform = two_and_two();
  CHECK(most_deciding(platform, "rotate") == 4);  // two were measured
  platform.together.pes.clear();
  CHECK(most_deciding(platform, "rotate") > 1'000'000);
  CHECK(most_deciding(platform, "random") == 1);  // the platform has no time for it
  platform.together.element_ns = {{"greedy", 1}, {"auto", 1}, {"rcb", 1}};
  CHECK(most_deciding(platform, "rcb") > 1);
  CHECK(most_deciding(platform, "greedy") == 1);  // decides on one PE, whatever the platform says
  CHECK(most_deciding(platform, "auto") == 1);
}
