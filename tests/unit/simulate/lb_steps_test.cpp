// SPDX-License-Identifier: Apache-2.0
// LB steps in a simulated job, and what is told of it.
#include <doctest/doctest.h>

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

TEST_CASE("simulate: without a strategy nobody moves, and intervals end at the steps") {
  Policy policy = in_blocks();
  const Timeline timeline = simulate(uneven(3, 0).finish(), apart(2), policy);
  CHECK(timeline.makespan == 4 * 7000);
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
