// SPDX-License-Identifier: Apache-2.0
// Checks elements that a strategy divides in simulations of recorded runs that divided none. Objects 0 and 1
// are the two PEs' own, elements follow from 2 on. On platform apart(2) an empty message takes
// 100 + 1000 + 50.
#include <doctest/doctest.h>

#include "tests/unit/simulate/native_trace.hpp"

using namespace skein::simulate;
using skein::trace::Cause;

namespace {

Policy splitting() {
  Policy policy;
  policy.placement = Placement::recorded;
  policy.strategy = "move-split:threshold=1";
  return policy;
}

constexpr std::uint64_t kBytes = 4096 * 8;  // a cube of 16 cells along each axis, of 8 bytes
constexpr Ns kBurst = 1'000'000;

/// Returns a trace of element 2, on PE 0, which computes kBurst and comes to its sync point. Then the PE's
/// own object tells it `rounds` times to compute `after`, and waits each time until it has contributed.
Native one_divisible(std::uint64_t after, int rounds, bool divisible = true) {
  Native native(3, {0, 1, 0});
  native.on(2).execute(Cause::begin).finish(kBurst).sync(kBytes, divisible);
  native.on(2).execute(Cause::resumed).contribute(0, 0).finish();
  for (int round = 0; round < rounds; ++round) {
    native.on(0).execute(Cause::reduction, -1, static_cast<std::uint64_t>(round), 1).call(2, 0, 800).finish();
    native.on(2)
        .execute(Cause::message, 0, static_cast<std::uint64_t>(round))
        .contribute(static_cast<std::uint64_t>(round) + 1, after)
        .finish();
  }
  return native;
}

}  // namespace

TEST_CASE("simulate: an element that is split computes on two PEs, where its messages come") {
  const skein::trace::Trace trace = one_divisible(kBurst, 3).done();
  const Timeline timeline = simulate(trace, apart(2), splitting());
  REQUIRE(timeline.steps.size() == 1);
  CHECK(timeline.steps[0].split == 1);
  CHECK(timeline.placement[1] == std::vector<skein::lb::PeIndex>{0, 1, 0, 1});
  // Before the step the whole element is on PE 0. In a round each half computes half of the burst, that on
  // PE 1 after its half of the message has come: 400 bytes of half a nanosecond each. Then its contribution,
  // the last one, goes to PE 0. The first contribution goes there too, without computing before it.
  const Ns way = 100 + 1000 + 50, message = way + 200;
  CHECK(timeline.busy == std::vector<Ns>{kBurst, 0, 3 * kBurst / 2, 3 * kBurst / 2});
  CHECK(timeline.makespan == timeline.interval_end[0] + way + 3 * (message + kBurst / 2 + way));
}

TEST_CASE("simulate: an element that says nothing of it is not divided") {
  const Timeline timeline = simulate(one_divisible(kBurst, 3, false).done(), apart(2), splitting());
  CHECK(timeline.steps[0].split == 0);
  CHECK(timeline.busy == std::vector<Ns>{kBurst, 0, 3 * kBurst, 0});
}

TEST_CASE(
    "simulate: a part has its share of the bytes, and ghost zones the bytes and the bursts of the cut") {
  // Element 2 sends 6000 bytes to element 3, on PE 1.
  Native native(4, {0, 1, 0, 1});
  native.on(2).execute(Cause::begin).finish(kBurst).sync(kBytes, true);
  native.on(2).execute(Cause::resumed).call(3, kBurst, 6000).finish();
  native.on(3).execute(Cause::message, 2, 0).finish(10);
  const skein::trace::Trace trace = native.done();
  Policy policy = splitting();
  const Timeline whole = simulate(trace, apart(2), policy);
  REQUIRE(whole.steps[0].split == 1);
  CHECK(whole.busy == std::vector<Ns>{kBurst, 0, kBurst / 2, kBurst / 2 + 10});
  CHECK(whole.bytes == 6000);
  CHECK(whole.remote_bytes == 3000);
  policy.ghosts = {.cell_bytes = 8, .face_bytes = 20, .layers = 1};
  // The cut through 4096 cells goes across 256: each side computes a sixteenth of the burst more, and sends
  // 5120 bytes.
  const Timeline ghosts = simulate(trace, apart(2), policy);
  const Ns part = kBurst / 2 + kBurst / 16;
  CHECK(ghosts.busy == std::vector<Ns>{kBurst, 0, part, part + 10});
  CHECK(ghosts.bytes == 6000 + 2 * 5120);
  CHECK(ghosts.remote_bytes == 3000 + 2 * 5120);
  // Ghost zones send at most as many bytes as the element.
  policy.ghosts.face_bytes = 40;
  CHECK(simulate(trace, apart(2), policy).bytes == 6000 + 2 * 6000);
}

TEST_CASE("simulate: parts are objects of later LB steps, and merged where little is left of them") {
  Native native(4, {0, 1, 0, 1});
  // Element 3 computes nothing at first; later it computes nearly everything, and element 2 hardly anything.
  native.on(2).execute(Cause::begin).finish(kBurst).sync(kBytes, true);
  native.on(2).execute(Cause::resumed).finish(kBurst / 100).sync(kBytes, true);
  native.on(2).execute(Cause::resumed).finish(kBurst / 100).sync(kBytes, true);
  native.on(2).execute(Cause::resumed).finish(kBurst);
  native.on(3).execute(Cause::begin).finish().sync(64);
  native.on(3).execute(Cause::resumed).finish(kBurst).sync(64);
  native.on(3).execute(Cause::resumed).finish(kBurst).sync(64);
  native.on(3).execute(Cause::resumed).finish(kBurst);
  const Timeline timeline = simulate(native.done(), apart(2), splitting());
  REQUIRE(timeline.steps.size() == 3);
  CHECK(timeline.steps[0].split == 1);
  // Both halves are on the PE without element 3, and their load together is below a quarter of a PE's.
  CHECK(timeline.steps[1].moved == 1);
  CHECK(timeline.steps[1].merged == 1);
  CHECK(timeline.steps[2].merged == 0);
  CHECK(timeline.busy == std::vector<Ns>{kBurst, 0, kBurst / 200, kBurst + kBurst / 200, kBurst / 100, kBurst,
                                         kBurst, kBurst});
}

TEST_CASE("simulate: what an element declares is its load, and its level is that of strategies by level") {
  // Elements 2 and 3 take equal times by the clock; by their declarations element 2 has most of the load.
  const auto declared = [](std::uint64_t of_2, std::uint64_t of_3) {
    Native native(4, {0, 1, 0, 0});
    native.on(2).execute(Cause::begin).finish(100).sync(64, false, of_2);
    native.on(3).execute(Cause::begin).finish(100).sync(64, false, of_3);
    return native.done();
  };
  Policy policy = splitting();
  policy.strategy = "greedy";
  CHECK(simulate(declared(1'000'000, 1'000'000), apart(2), policy).steps[0].imbalance_before ==
        doctest::Approx(100));
  const Timeline timeline = simulate(declared(3'000'000, 1'000'000), apart(2), policy);
  CHECK(timeline.steps[0].imbalance_after == doctest::Approx(50));
}

TEST_CASE("simulate: what an element makes where it is goes where it has gone") {
  // One method of the elements on PE 0 and PE 1 creates them. The run is played on four PEs, where the makers
  // are on other PEs.
  Native native(6, {0, 1, 0, 1, 0, 1});
  for (const unsigned maker : {2u, 3u}) {
    native.on(maker).execute(Cause::begin).create(-1).finish(100);
    native.on(maker + 2).execute(Cause::message, static_cast<int>(maker), 0).finish(50);
  }
  const Timeline timeline = simulate(native.done(), apart(4), Policy{});
  CHECK(timeline.pe_busy == std::vector<Ns>{150, 0, 150, 0});
}

TEST_CASE("simulate: parts have no bursts to show") {
  Policy policy = splitting();
  policy.keep_bursts = true;
  CHECK_THROWS_WITH_AS(simulate(one_divisible(kBurst, 1).done(), apart(2), policy),
                       doctest::Contains("leave out --bursts, --critical-path and --trace"), SimulationError);
}
