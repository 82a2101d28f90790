// SPDX-License-Identifier: Apache-2.0
// Simulations that are given up because they are sure to take longer than a limit.
#include "lb/simulate/least_rest.hpp"

#include <doctest/doctest.h>

#include "tests/unit/simulate/make_trace.hpp"

using namespace skein::simulate;

namespace {

// A trace with `points` points: rank 0 computes 3 us before each, rank 1 one.
skein::trace::Trace uneven(int points) {
  Program program(2);
  for (const std::uint32_t rank : {0u, 1u}) {
    program.on(rank);
    for (int point = 0; point < points; ++point) program.sync(8, rank == 0 ? 3000 : 1000);
    program.end();
  }
  return program.finish();
}

}  // namespace

TEST_CASE("limit: what is left of the work, of all and of the one with most") {
  const Remaining remaining = remaining_work(uneven(3));
  CHECK(remaining.all_ns == std::vector<std::uint64_t>{12000, 8000, 4000, 0});
  CHECK(remaining.most_ns == std::vector<std::uint64_t>{9000, 6000, 3000, 0});
}

TEST_CASE("limit: what is left takes as long as on the fastest PE alone, or as on all of them") {
  const Remaining remaining{{12000, 8000}, {9000, 6000}};
  Platform platform = together(2);
  // Two PEs need at least 12000 / 2; but one rank has 9000. A hundredth is left for rounding.
  CHECK(LeastRest(platform, 2, remaining).after(0) == 8910);
  CHECK(LeastRest(platform, 1, remaining).after(0) == 11880);
  CHECK(LeastRest(platform, 2, remaining).after(7) == 0);
  platform.speeds = {1, 3};
  CHECK(LeastRest(platform, 2, remaining).after(0) == 2970);
  platform.background = {0, 0.5};  // 1 and 1.5: 12000 / 2.5, 9000 / 1.5
  CHECK(LeastRest(platform, 2, remaining).after(0) == 5940);
  platform.changes = {{.pe = 0, .from_ns = 5, .until_ns = 0, .factor = 4}};  // 4 and 1.5
  CHECK(LeastRest(platform, 2, remaining).after(0) == 2228);
  platform.noise = 0.1;
  CHECK(LeastRest(platform, 2, remaining).after(0) == 0);
}

TEST_CASE("limit: given up at the first LB step behind which it is sure") {
  // Each on its PE, ten points of 3 us, a step at every second one that moves nothing and takes no time.
  const skein::trace::Trace trace = uneven(10);
  const Remaining remaining = remaining_work(trace);
  Policy policy;
  policy.strategy = "refine";
  policy.period = 2;
  Platform platform = together(2);
  platform.decision_element_ns = {{"refine", 0}};
  CHECK(simulate(trace, platform, policy).makespan == 30000);
  const auto with = [&](Ns makespan) {
    const Limit limit{makespan, remaining};
    return simulate(trace, platform, policy, nullptr, &limit);
  };
  CHECK(with(30000).given_up_at == 0);
  CHECK(with(30000).makespan == 30000);
  // 6000, and 0.99 times 24000: 29760; then 12000 and 17820, 18000 and 11880.
  CHECK(with(29759).given_up_at == 2);
  CHECK(with(29759).makespan == 6000);
  CHECK(with(29760).given_up_at == 4);
  CHECK(with(29850).given_up_at == 6);
  CHECK(with(29999).given_up_at == 10);
}
