// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank/scheduler.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "runtime/base/clock.hpp"
#include "tests/unit/libc/ranks.hpp"

using namespace skein;
using namespace skein::test;

namespace {

double quantum_ns = 0;
int slices = 0;  // of computing; a switch follows each

void compute_and_give_way(Fiber&) {
  for (;;) {
    const std::uint64_t start = ticks();
    while (ns_since(start) < quantum_ns) {
    }
    ++slices;
    yield();
  }
}

/// Makes two ranks that take turns.
void make_ranks(void (*entry)(Fiber&)) {
  for (const int id : {0, 1}) {
    Rank& rank = make_rank(id);
    prepare_main_fiber(rank, entry);
    make_ready(rank.main);
  }
}

/// Returns how often the ranks compute and switch until it is time to poll.
int slices_until_poll() {
  slices = 0;
  run_ready();
  return slices;
}

/// Lets each rank compute for `each_ns` at a time. Returns how often the ranks do so between two polls, the
/// least and the most of many times.
std::pair<int, int> slices_between_polls(double each_ns) {
  quantum_ns = each_ns;
  make_ranks(compute_and_give_way);
  std::pair<int, int> extremes{1 << 30, 0};
  for (int i = 0; i < 200; ++i) {
    const int between = slices_until_poll();
    extremes = {std::min(extremes.first, between), std::max(extremes.second, between)};
  }
  return extremes;
}

bool all_look = false;

/// Computes in the first fiber; the second one does not compute.
void compute_if_first(Fiber& fiber) {
  for (int i = 0; i < 100; ++i) {
    if (fiber.rank->id == 1 && i == 50 && all_look) look_at_each_switch();
    const std::uint64_t start = ticks();
    while (fiber.rank->id == 0 && ns_since(start) < 1000) {
    }
    yield();
  }
  finish_fiber();
}

std::uint64_t busy(int rank) { return rank_in_slot(rank).meter.busy_ticks; }

}  // namespace

TEST_CASE("scheduler: ranks that compute between switches are polled for at every switch") {
  const ChildEnd end = run_in_child([] {
    const auto [least, most] = slices_between_polls(50'000);
    CHILD_CHECK(least == 1);
    CHILD_CHECK(most == 1);
  });
  CHECK_MESSAGE(end.exit_status == 0, end.errors);
}

TEST_CASE("scheduler: ranks that only switch do so many times between polls") {
  const ChildEnd end = run_in_child([] {
    const auto [least, most] = slices_between_polls(0);
    CHILD_CHECK(least >= 1);
    CHILD_CHECK(most > 10);
  });
  CHECK_MESSAGE(end.exit_status == 0, end.errors);
}

TEST_CASE("scheduler: four switches at most share a look at the clock when ranks begin to compute") {
  const ChildEnd end = run_in_child([] {
    share_looks();
    const auto [least, most] = slices_between_polls(0);
    CHILD_CHECK(most > 10);
    quantum_ns = 50'000;
    CHILD_CHECK(slices_until_poll() <= 4);
    for (int i = 0; i < 20; ++i) CHILD_CHECK(slices_until_poll() == 1);
  });
  CHECK_MESSAGE(end.exit_status == 0, end.errors);
}

TEST_CASE("scheduler: what ranks take together is known where they share looks at the clock") {
  const ChildEnd end = run_in_child([] {
    share_looks();
    make_ranks(compute_if_first);
    while (run_ready()) {
    }
    CHILD_CHECK(ns_of(scheduler_stats().busy_ticks) >= 100'000);
    CHILD_CHECK(busy(0) + busy(1) == scheduler_stats().busy_ticks);
    CHILD_CHECK(busy(1) > 0);
  });
  CHECK_MESSAGE(end.exit_status == 0, end.errors);
}

TEST_CASE("scheduler: what each rank takes is known from when each switch looks at the clock") {
  const ChildEnd end = run_in_child([] {
    share_looks();
    all_look = true;
    make_ranks(compute_if_first);
    std::uint64_t before = 0;
    while (run_ready())
      if (!before && looks_at_each_switch()) before = busy(0);
    CHILD_CHECK(before > 0);
    // Whatever happens in between, the first rank has a microsecond of each turn.
    CHILD_CHECK(ns_of(busy(0) - before) >= 40'000);
    CHILD_CHECK(busy(0) + busy(1) == scheduler_stats().busy_ticks);
  });
  CHECK_MESSAGE(end.exit_status == 0, end.errors);
}
