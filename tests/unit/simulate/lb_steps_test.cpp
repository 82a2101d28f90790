// SPDX-License-Identifier: Apache-2.0
// LB steps in a simulated job, and their records.
#include <doctest/doctest.h>

#include <string>

#include "tests/unit/simulate/make_trace.hpp"

using namespace skein::simulate;

namespace {

// Two PEs, four ranks in blocks, `points` sync points; rank r computes (r + 1) * 1000 before each.
Program uneven(int points, std::uint64_t bytes) {
  Program program(4);
  for (unsigned rank = 0; rank < 4; ++rank) {
    program.on(rank);
    for (int i = 0; i < points; ++i) program.sync(bytes, (rank + 1) * 1000);
    program.end((rank + 1) * 1000);
  }
  return program;
}

}  // namespace

TEST_CASE("simulate: without a strategy nobody moves, and intervals end where the last passes a sync point") {
  const Timeline timeline = simulate(uneven(3, 0).finish(), apart(2), in_blocks());
  CHECK(timeline.makespan == 4 * 7000);
  CHECK(timeline.steps.empty());
  // No PE waits: rank 3 begins when rank 2 has ended, after 4 * 3000.
  CHECK(timeline.interval_end == std::vector<Ns>{16000, 20000, 24000, 28000});
  CHECK(timeline.busy == std::vector<Ns>{3000, 7000, 3000, 7000, 3000, 7000, 3000, 7000});
  CHECK(timeline.unbalanced == timeline.busy);
  CHECK(timeline.fullest_unmoved == std::vector<Ns>(4, 7000));
  CHECK(timeline.pe_busy == std::vector<Ns>{12000, 28000});
}

TEST_CASE(
    "simulate: intervals without a strategy have the policy's period, or a longer one where there are many") {
  Policy policy = in_blocks();
  policy.period = 2;
  const Timeline timeline = simulate(uneven(5, 0).finish(), apart(2), policy);
  // Six bursts: two, two, and those from the fourth point on.
  CHECK(timeline.interval_end == std::vector<Ns>{6 * 3000 + 2 * 4000, 6 * 3000 + 4 * 4000, 6 * 7000});
  CHECK(timeline.busy == std::vector<Ns>{6000, 14000, 6000, 14000, 6000, 14000});
  policy.period = 0;
  const Timeline many = simulate(uneven(1200, 0).finish(), apart(2), policy);
  REQUIRE(many.interval_end.size() == 301);  // of four points
  for (std::size_t i = 0; i < 300; ++i) {
    REQUIRE(many.busy[2 * i] == 4 * 3000);
    REQUIRE(many.busy[2 * i + 1] == 4 * 7000);
    REQUIRE(many.interval_end[i] == 1201 * 3000 + static_cast<Ns>(i + 1) * 4 * 4000);
  }
  CHECK(many.busy[600] == 3000);
  CHECK(many.busy[601] == 7000);
  CHECK(many.interval_end[300] == many.makespan);
}

TEST_CASE("simulate: who ends early is in the interval after its last sync point") {
  Program program(2);
  program.on(0).sync(0, 1000).end(500);
  program.on(1).sync(0, 2000).sync(0, 3000).end(4000);
  const Timeline timeline = simulate(program.finish(), apart(2), in_blocks());
  CHECK(timeline.interval_end == std::vector<Ns>{2000, 5000, 9000});
  CHECK(timeline.busy == std::vector<Ns>{1000, 2000, 500, 3000, 0, 4000});
}

TEST_CASE("simulate: a step tells the sync points since the one before") {
  Policy policy = in_blocks();
  policy.strategy = "greedy";
  policy.period = 2;
  const Timeline timeline = simulate(uneven(5, 8).finish(), apart(2), policy);
  REQUIRE(timeline.steps.size() == 2);
  CHECK(timeline.steps[0].points == 2);
  CHECK(timeline.steps[1].points == 2);
}

TEST_CASE("simulate: where nobody moves, too, what does not fit is said") {
  Platform platform = apart(2);
  platform.memory_bytes = 20;
  CHECK(simulate(uneven(3, 10).finish(), platform, in_blocks()).makespan == 4 * 7000);
  platform.memory_bytes = 19;
  std::string said;
  try {
    (void)simulate(uneven(3, 10).finish(), platform, in_blocks());
  } catch (const SimulationError& error) {
    said = error.what();
  }
  CHECK(said.find("objects of PE 0 have 20 bytes in use, and platform 'apart' has 19 a PE") !=
        std::string::npos);
}

TEST_CASE("simulate: a move at a known cost") {
  Policy policy = in_blocks();
  policy.strategy = "rotate";
  Platform platform = apart(2);
  platform.moves.object_ns = 500;
  const Timeline timeline = simulate(uneven(1, 10000).finish(), platform, policy);
  // PE 0 comes at 3000, PE 1 at 7000. All four ranks change places: two messages of 10,000 bytes each way.
  // From one side: the first byte of the second leaves when the first has left, 5000 later; the last byte of
  // it is there at 5000 + 1000 + 5000. Each PE has four objects at its ends, 500 each.
  REQUIRE(timeline.steps.size() == 1);
  const StepRecord& step = timeline.steps[0];
  CHECK(step.at == 7000);
  CHECK(step.moved == 4);
  CHECK(step.moved_bytes == 40000);
  CHECK(step.move == 11000 + 4 * 500);
  const Ns resumed = 7000 + step.meet + step.collect + step.decide + step.move;
  CHECK(timeline.makespan == resumed + 7000);
  CHECK(timeline.busy == std::vector<Ns>{3000, 7000, 7000, 3000});
  CHECK(timeline.unbalanced == std::vector<Ns>{3000, 7000, 3000, 7000});
  CHECK(timeline.interval_end == std::vector<Ns>{resumed, resumed + 7000});
  CHECK(timeline.placement[0] == std::vector<skein::lb::PeIndex>{0, 0, 1, 1});
  CHECK(timeline.placement[1] == std::vector<skein::lb::PeIndex>{1, 1, 0, 0});
}

TEST_CASE("simulate: messages find ranks that have moved, before and after") {
  Policy policy = in_blocks();
  policy.strategy = "rotate";
  Program program(4);
  for (unsigned rank = 0; rank < 4; ++rank) {
    const int above = static_cast<int>((rank + 1) % 4), below = static_cast<int>((rank + 3) % 4);
    program.on(rank).isend(above, 100).isend(above, 100000).sync(8, 100 * rank);
    program.receive(below, 100)
        .receive(below, 100000)
        .wait({1, 0})
        .collective(skein::trace::Collective::barrier)
        .end();
  }
  const Timeline timeline = simulate(program.finish(), apart(2), policy);
  CHECK(timeline.steps.size() == 1);
  CHECK(timeline.steps[0].moved == 4);
}

TEST_CASE("simulate: ranks that end early leave the others their sync points") {
  Policy policy = in_blocks();
  policy.strategy = "greedy";
  Program program(3);
  program.on(0).sync(8, 1000).sync(8, 1000).sync(8, 1000).end();
  program.on(1).sync(8, 1000).end(50);
  program.on(2).sync(8, 1000).sync(8, 1000).sync(8, 1000).end();
  const Timeline timeline = simulate(program.finish(), apart(2), policy);
  CHECK(timeline.steps.size() == 3);
}

TEST_CASE("simulate: computing is conserved, whatever moves") {
  for (const char* const strategy : {"none", "rotate", "greedy", "refine", "random"}) {
    Policy policy = in_blocks();
    policy.strategy = strategy;
    const Timeline timeline = simulate(uneven(5, 100).finish(), apart(3), policy);
    Ns sum = 0;
    for (const Ns busy : timeline.pe_busy) sum += busy;
    CHECK(sum == 6 * 10000);
    Ns table = 0;
    for (const Ns busy : timeline.busy) table += busy;
    CHECK(table == 6 * 10000);
  }
}

TEST_CASE("simulate: the same input gives the same bytes") {
  Policy policy = in_blocks();
  policy.strategy = "random";
  Platform platform = apart(2);
  platform.noise = 0.1;
  const skein::trace::Trace trace = uneven(4, 10000).finish();
  const std::string first = to_json(simulate(trace, platform, policy), trace, platform, policy);
  CHECK(first == to_json(simulate(trace, platform, policy), trace, platform, policy));
  policy.seed = 2;
  CHECK(first != to_json(simulate(trace, platform, policy), trace, platform, policy));
}
