// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/best_steps.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "make_trace.hpp"

using namespace skein;
using namespace skein::simulate;

namespace {

constexpr std::uint64_t ms = 1'000'000;

// Four ranks in two blocks; in each of 20 points rank 0 and 1 take 1 ms, until from the `jump`-th on rank 0
// takes 3 and rank 1 takes 3, and ranks 2 and 3 take 1 all the time.
trace::Trace jumping(std::uint64_t jump) {
  Program program(4);
  for (std::uint64_t point = 0; point < 20; ++point)
    for (trace::ObjectIndex rank = 0; rank < 4; ++rank)
      program.on(rank).sync(1000, rank < 2 && point >= jump ? 3 * ms : ms);
  for (trace::ObjectIndex rank = 0; rank < 4; ++rank) program.on(rank).end();
  return program.finish();
}

// Two PEs of a node; a step that moves two of four objects takes so long.
Platform two_pes(double step_ns) {
  Platform platform;
  platform.name = "two";
  platform.pes_per_node = 2;
  platform.node.latency_ns = 0;
  platform.moves = {.meeting_ns = step_ns};
  platform.decision_element_ns = {{"greedy-refine", 0}};
  return platform;
}

Policy greedy_refine() {
  Policy policy;
  policy.strategy = "greedy-refine";
  return policy;
}

}  // namespace

TEST_CASE("best steps: one step, behind the first point that shows the jump") {
  // A point takes 2 ms, from the 8th on 6, and 4 once a rank of each kind is on each PE. The step at sync
  // point 8 would see nothing of the jump; the step at 9 sees 8 points of 1 and one of 3, and moves.
  const trace::Trace trace = jumping(8);
  const lb::BestTimes best = best_steps(trace, two_pes(1000), greedy_refine());
  CHECK(best.steps == std::vector<std::size_t>{9});
  CHECK(best.seconds == doctest::Approx(1e-3 * (8 * 2 + 6 + 11 * 4) + 1e-6));
}

TEST_CASE("best steps: none where the step costs more than the rest of the job can gain") {
  // The gain is 11 points of 2 ms.
  CHECK(best_steps(jumping(8), two_pes(21e6), greedy_refine()).steps.size() == 1);
  CHECK(best_steps(jumping(8), two_pes(23e6), greedy_refine()).steps.empty());
}

TEST_CASE("best steps: the simulation takes as long with these steps, where nothing but loads takes time") {
  const trace::Trace trace = jumping(5);
  const Platform platform = two_pes(100'000);
  Policy policy = greedy_refine();
  const lb::BestTimes best = best_steps(trace, platform, policy);
  REQUIRE(!best.steps.empty());
  policy.steps_at.assign(best.steps.begin(), best.steps.end());
  const Timeline timeline = simulate::simulate(trace, platform, policy);
  CHECK(static_cast<double>(timeline.makespan) * 1e-9 == doctest::Approx(best.seconds));
  REQUIRE(timeline.steps.size() == best.steps.size());
  CHECK(timeline.steps[0].points == best.steps[0]);
}

TEST_CASE("simulation: steps at the sync points that are given, and at no others") {
  Policy policy = greedy_refine();
  policy.steps_at = {3, 4, 11};
  const Timeline timeline = simulate::simulate(jumping(8), two_pes(1000), policy);
  REQUIRE(timeline.steps.size() == 3);
  CHECK(timeline.steps[0].points == 3);
  CHECK(timeline.steps[1].points == 1);
  CHECK(timeline.steps[2].points == 7);
}
