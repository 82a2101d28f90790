// SPDX-License-Identifier: Apache-2.0
// Elements of native programs in mode lazy: timelines worked out by hand.
#include <doctest/doctest.h>

#include <random>

#include "tests/unit/simulate/native_trace.hpp"
#include "tests/unit/simulate/rotating_job.hpp"

using namespace rotating_job;
using skein::trace::Cause;

namespace {

// Elements 2 and 3, on PEs 0 and 1, compute 10,000 before each of their sync points and before their end.
Native two_elements(int points, std::vector<skein::trace::PeIndex> placement = {0, 1, 0, 1}) {
  const std::size_t objects = placement.size();
  Native native(objects, std::move(placement));
  for (skein::trace::ObjectIndex element = 2; element < 4; ++element) {
    native.on(element);
    for (int i = 0; i < points; ++i)
      native.execute(i == 0 ? Cause::begin : Cause::resumed).finish(10000).sync(0);
    native.execute(points == 0 ? Cause::begin : Cause::resumed).finish(10000);
  }
  return native;
}

Policy lazily(const char* mode, std::uint64_t period) {
  Policy policy = rotating(mode, period);
  policy.placement = Placement::recorded;
  return policy;
}

// Returns the time for telling of a step with so many objects, down a tree of two levels.
constexpr Ns telling_of(Ns objects) { return 2 * (100 + 1000 + 50 + 2 * objects); }

}  // namespace

TEST_CASE("lazy elements: the decision about the second point is applied at the fourth") {
  const Timeline timeline = simulate(two_elements(4).done(), three(), lazily("lazy", 2));
  // Point 1 is at 10,000, and both elements pass it at once; point 2 is at 20,000: they stand, inquire, and
  // leave their shares, 32 + 68 bytes, which takes 100. The shares are at PE 2 at 20,100 + 1000 + 50 and 50
  // later, and taken at 21,250. PE 2 decides about four objects, the PEs' own included, and two PEs, for 600,
  // and sends the result: to PE 1 at 22,050 + 1016. The elements have passed point 3 at 30,100 by then, hear
  // it, and promise point 4: 50 + 100. They stand there at 40,250, because all had agreed long ago, which
  // they hear in 50.
  REQUIRE(timeline.steps.size() == 1);
  const StepRecord& step = timeline.steps[0];
  CHECK(step.at == 40300);
  CHECK(step.points == 4);
  CHECK(step.moved == 2);
  REQUIRE(step.late);
  CHECK(step.late->asked_at == 2);
  CHECK(step.late->applied_at == 4);
  CHECK(step.late->decide == 600);
  CHECK(step.late->drift.work_percent == doctest::Approx(0));
  // Point 4 asks again: 100.
  CHECK(timeline.makespan == 40300 + telling_of(4) + moving + 100 + 10000);
  CHECK(timeline.busy == std::vector<Ns>{40000, 40000, 10000, 10000});
  CHECK(timeline.placement[1] == std::vector<lb::PeIndex>{0, 1, 1, 0});
}

TEST_CASE("lazy elements: one that comes to no point leaves its share with the first that does, and moves") {
  Native native = two_elements(2, {0, 1, 0, 1, 0});
  native.on(2).call(4, 0);
  native.on(4).execute(Cause::begin).finish(1000).execute(Cause::message, 2, 0).finish(500);
  const Timeline timeline = simulate(native.done(), three(), lazily("lazy:wait=always", 2));
  // Element 4 runs between the first two executions of element 2, which comes to point 2 at 21,000. The share
  // of both, 32 + 2 * 68 bytes, leaves at 21,100, is at PE 2 84 + 1000 later, and taken at 22,234; that of
  // element 3 was there. PE 2 decides about five objects and two PEs for 700, and sends the result to PE 0 at
  // 23,034, to PE 1 at 23,134. PE 1 hears it 1016 + 50 later, and promises at 24,300, which is taken at
  // 25,366; PE 0 promised 100 before. The stop is sent to PE 1 at 25,566, which hears it 1016 + 50 later.
  REQUIRE(timeline.steps.size() == 1);
  CHECK(timeline.steps[0].at == 26632);
  CHECK(timeline.steps[0].late->asked_at == 2);
  CHECK(timeline.steps[0].late->applied_at == 2);
  CHECK(timeline.placement[1] == std::vector<lb::PeIndex>{0, 1, 1, 0, 1});
  // Element 2 continues on PE 1, and at its end calls element 4, which is there, too. First PE 1 reports that
  // it has no more elements that come to sync points: 100.
  const Ns resumed = 26632 + telling_of(5) + moving;
  CHECK(timeline.makespan == resumed + 10000 + 100 + 500);
}

TEST_CASE("lazy elements: nobody waits for those that never come to the point") {
  // Element 3 waits for quiescence before its second point, and so for element 2, which waits for an answer
  // there.
  Native native(4, {0, 1, 0, 1});
  native.on(2).execute(Cause::begin).finish(1000).sync(0).execute(Cause::resumed).finish(1000).sync(0);
  native.execute(Cause::resumed).finish(1000);
  native.on(3).execute(Cause::begin).finish(1000).sync(0).execute(Cause::quiescence).finish(1000).sync(0);
  native.execute(Cause::resumed).finish(1000);
  const Timeline timeline = simulate(native.done(), three(), lazily("lazy:wait=always", 1));
  Ns busy = 0;
  for (const Ns ns : timeline.pe_busy) busy += ns;
  CHECK(busy == 6000);
}

TEST_CASE("lazy elements: computing is conserved, and every job ends, whatever the mode") {
  std::mt19937 random(11);
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t elements = 2 + random() % 6;
    std::vector<skein::trace::PeIndex> placement = {0, 1};
    for (std::size_t i = 0; i < elements; ++i) placement.push_back(random() % 2);
    Native native(2 + elements, placement);
    Ns sum = 0;
    const auto burst = [&] {
      const std::uint64_t ns = random() % 20000;
      sum += static_cast<Ns>(ns);
      return ns;
    };
    for (unsigned element = 2; element < 2 + elements; ++element) {
      native.on(element).execute(Cause::begin).finish(burst());
      if (element > 2 && random() % 4 == 0) continue;  // comes to no point
      const std::size_t points = 1 + random() % 12;
      for (std::size_t i = 0; i < points; ++i) {
        native.sync(random() % 1000).execute(Cause::resumed);
        native.finish(burst());
      }
    }
    const trace::Trace trace = native.done();
    for (const char* const mode : {"lazy", "lazy:wait=1", "lazy:wait=always", "lazy:pes=2"})
      for (const char* const strategy : {"random", "greedy-refine", "refine-comm"}) {
        Policy policy = lazily(mode, 1 + random() % 3);
        policy.strategy = strategy;
        const auto reserved = static_cast<std::uint32_t>(policy.mode.reserved_pes());
        if (reserved > 1 && policy.strategy != "random") continue;
        Platform platform = apart(2 + reserved);
        platform.together.ns["random"] = 1 + random() % 50000;
        const Timeline timeline = simulate(trace, platform, policy);
        Ns busy = 0;
        for (const Ns ns : timeline.pe_busy) busy += ns;
        CHECK(busy == sum);
        CHECK(timeline.interval_end.back() == timeline.makespan);
        const std::string first = to_json(timeline, trace, platform, policy);
        CHECK(first == to_json(simulate(trace, platform, policy), trace, platform, policy));
      }
  }
}

TEST_CASE("lazy elements: what comes behind the first point is refused, with the reason") {
  Native splits(5, {0, 1, 0, 1, 0});
  splits.on(2).execute(Cause::begin).finish(10).sync(0).split(4, 0).execute(Cause::resumed).finish(10);
  splits.on(4).execute(Cause::resumed).finish(10);
  CHECK_THROWS_WITH_AS(simulate(splits.done(), three(), lazily("lazy", 1)),
                       doctest::Contains("object 4 is split off another element, and where a late decision"),
                       SimulationError);
  Native makes(5, {0, 1, 0, 1, 0});
  makes.on(2).execute(Cause::begin).finish(10).sync(0).execute(Cause::resumed).create(4).finish(10);
  makes.on(4).execute(Cause::message, 2, 0).finish(10);
  CHECK_THROWS_WITH_AS(simulate(makes.done(), three(), lazily("lazy", 1)),
                       doctest::Contains("object 2 makes elements behind a sync point"), SimulationError);
  // An element that is made before the first point counts as if it had been there from the start.
  Native early(5, {0, 1, 0, 1, 0});
  early.on(2).execute(Cause::begin).create(4).finish(10).sync(0).execute(Cause::resumed).finish(10);
  early.on(4).execute(Cause::message, 2, 0).finish(10).sync(0).execute(Cause::resumed).finish(10);
  CHECK(simulate(early.done(), three(), lazily("lazy", 1)).decisions > 0);
}
