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
int slices = 0;  // of computing, each followed by a switch

void compute_and_give_way(Fiber&) {
  for (;;) {
    const std::uint64_t start = ticks();
    while (ns_since(start) < quantum_ns) {
    }
    ++slices;
    yield();
  }
}

/// Two ranks that take turns, each computing for that long. Returns how often they did so between two polls:
/// the least and the most of many times.
std::pair<int, int> slices_between_polls(double each_ns) {
  quantum_ns = each_ns;
  for (const int id : {0, 1}) {
    Rank& rank = make_rank(id);
    prepare_main_fiber(rank, compute_and_give_way);
    make_ready(rank.main);
  }
  std::pair<int, int> extremes{1 << 30, 0};
  for (int i = 0; i < 200; ++i) {
    slices = 0;
    run_ready();
    extremes = {std::min(extremes.first, slices), std::max(extremes.second, slices)};
  }
  return extremes;
}

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
