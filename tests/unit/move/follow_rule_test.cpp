// SPDX-License-Identifier: Apache-2.0
#include "runtime/move/follow_rule.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "runtime/rank/memory_home.hpp"

using skein::MemoryHome;
using skein::move::FollowCosts;
using skein::move::pages_follow;

TEST_CASE("memory home: a rank is away while it computes in another domain than its pages are in") {
  MemoryHome home;
  home.leave(0);
  home.arrive(0, true, 100);
  CHECK_FALSE(home.is_away());
  home.leave(0);
  home.arrive(1, true, 200);
  CHECK(home.is_away());
  CHECK(home.away_since == 200);
  home.leave(1);
  home.arrive(0, true, 300);
  CHECK_FALSE(home.is_away());
  CHECK(home.domain == 0);
}

TEST_CASE("memory home: a stay goes on from PE to PE of one domain, and begins anew in a third") {
  MemoryHome home;
  home.leave(0);
  home.arrive(1, true, 200);
  home.leave(1);
  home.arrive(1, true, 500);
  CHECK(home.away_since == 200);
  home.leave(1);
  home.arrive(2, true, 700);
  CHECK(home.away_since == 700);
}

TEST_CASE("memory home: pages that followed or were copied are at home") {
  MemoryHome home;
  home.leave(0);
  home.arrive(1, true, 200);
  home.settle();
  CHECK(home.domain == 1);
  CHECK_FALSE(home.is_away());
  home.leave(1);
  home.arrive(0, true, 300);
  CHECK(home.is_away());
  home.leave(0);
  home.arrive(2, false, 400);
  CHECK(home.domain == 2);
  CHECK_FALSE(home.is_away());
}

TEST_CASE("memory home: where a domain is not known nobody is away") {
  MemoryHome home;
  home.leave(-1);
  home.arrive(1, true, 200);
  CHECK_FALSE(home.is_away());
  home.leave(1);  // the rank may have written pages there, or still have pages elsewhere
  home.arrive(-1, true, 300);
  CHECK_FALSE(home.is_away());
}

TEST_CASE("follow rule: pages follow once what was lost is what moving takes") {
  // A tenth of the time is lost; 100 MB at 1 GB/s take 0.1 s, which the loss of one second pays.
  const FollowCosts costs{.byte_s = 1e-9, .lost = 0.1};
  CHECK_FALSE(pages_follow(0.99, 100'000'000, costs));
  CHECK(pages_follow(1.01, 100'000'000, costs));
  CHECK_FALSE(pages_follow(1.01, 200'000'000, costs));
  CHECK(pages_follow(2.01, 200'000'000, costs));
}

TEST_CASE("follow rule: no stay costs more than twice what would have been best") {
  const FollowCosts costs{.byte_s = 1e-9, .lost = 0.1};
  constexpr std::uint64_t bytes = 50'000'000;
  constexpr double step_s = 0.01, moving_s = 0.05;
  for (int steps = 1; steps <= 200; ++steps) {
    double paid = 0, stayed = 0;
    bool followed = false;
    for (int i = 0; i < steps && !followed; ++i) {
      stayed += step_s;
      paid += step_s * costs.lost;
      followed = pages_follow(stayed, bytes, costs);
    }
    if (followed) paid += moving_s;
    const double best = std::min(steps * step_s * costs.lost, moving_s);
    // The rule looks in steps, so up to one more step is lost.
    CHECK(paid <= 2 * best + step_s * costs.lost + 1e-12);
  }
}

TEST_CASE("follow rule: costs come near to what was seen") {
  FollowCosts costs{.byte_s = 1e-9, .lost = 0.1};
  for (int i = 0; i < 20; ++i) costs.learn(1'000'000, 4e-3);
  CHECK(costs.byte_s == doctest::Approx(4e-9).epsilon(1e-4));
  costs.learn(0, 1);  // nothing was moved, so nothing is learned
  CHECK(costs.byte_s == doctest::Approx(4e-9).epsilon(1e-4));
}
