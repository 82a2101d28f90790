// SPDX-License-Identifier: Apache-2.0
// The building blocks of the strategies against straightforward versions of themselves.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "lb/kernel/finish_queue.hpp"
#include "lb/kernel/heaviest_first.hpp"
#include "lb/kernel/shedder.hpp"
#include "skein/lb/metrics.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

TEST_CASE("random: the first numbers of SplitMix64 from seed 1234567") {
  // Reference values of the algorithm's published test vector.
  Random random(1234567);
  CHECK(random.bits() == 6457827717110365317u);
  CHECK(random.bits() == 3203168211198807973u);
  CHECK(random.bits() == 9817491932198370423u);
}

TEST_CASE("heaviest_first: a stable descending sort of what can move and has a load") {
  for (const test::Kind& kind : test::all_kinds()) {
    const Snapshot snapshot = test::make_snapshot(kind, 3);
    const Objects& objects = snapshot.objects;
    std::vector<ObjectIndex> expected;
    for (ObjectIndex i = 0; i < objects.size(); ++i) {
      if (objects.migratable[i] && objects.load[i] > 0) expected.push_back(i);
    }
    std::ranges::stable_sort(expected, [&](ObjectIndex a, ObjectIndex b) {
      return static_cast<float>(objects.load[a]) > static_cast<float>(objects.load[b]);
    });
    CAPTURE(kind.name);
    CHECK(heaviest_first(objects) == expected);
  }
}

TEST_CASE("heaviest_first: loads from the smallest to the largest double are ordered") {
  const Snapshot snapshot = test::make_snapshot(1, {1e-30, 1e300, 1, 1e-300, 1e30}, {0, 0, 0, 0, 0});
  const std::vector<ObjectIndex> order = heaviest_first(snapshot.objects);
  CHECK(order == std::vector<ObjectIndex>{1, 4, 2, 0, 3});
}

TEST_CASE("LazyMinTree: finds the least key while keys grow, told or untold") {
  for (std::size_t size : {1u, 2u, 3u, 7u, 64u, 100u}) {
    Random random(size);
    std::vector<double> keys(size);
    for (double& key : keys) key = random.unit();
    LazyMinTree tree(keys);
    bool right = true;
    for (int step = 0; step < 2000; ++step) {
      if (step % 3 == 0) {
        keys[random.below(static_cast<std::uint32_t>(size))] += random.unit();
        tree.refresh([&](std::uint32_t i) { return keys[i]; });
      }
      const std::uint32_t top = tree.top();
      right = right && keys[top] == std::ranges::min(keys);
      tree.grow_top(keys[top] += random.unit() * 0.1);
      tree.refresh([&](std::uint32_t i) { return keys[i]; });
    }
    CAPTURE(size);
    CHECK(right);
  }
}

TEST_CASE("FinishQueue: with few speeds the chosen PE is one on which the object finishes first") {
  Random random(5);
  Pes pes = uniform_pes(30);
  for (double& speed : pes.speed) speed = 1 + random.below(5);
  FinishQueue queue(pes, std::vector<double>(30, 0.0));
  bool right = true;
  for (int step = 0; step < 3000; ++step) {
    const double load = random.unit();
    if (step % 4 == 0) {
      queue.add(random.below(30), load);
      continue;
    }
    const std::vector<double> before = queue.finish_times();
    double least = 1e300;
    for (PeIndex pe = 0; pe < 30; ++pe) least = std::min(least, before[pe] + load / pes.speed[pe]);
    const PeIndex chosen = queue.place(load);
    right = right && queue.finish_times()[chosen] == doctest::Approx(least);
  }
  CHECK(right);
}

// PE 0 holds 5, 4, 3, 2, 1 (15), PE 1 nothing. Limit 9: 6 too much. 5 alone does not suffice, two objects do:
// 5, and of the rest the lightest that reaches 1: object 4 (load 1).
TEST_CASE("Shedder: takes the fewest objects, the last of them as light as possible") {
  const Snapshot snapshot = test::make_snapshot(2, {5, 4, 3, 2, 1}, {0, 0, 0, 0, 0});
  const std::vector<double> finish = finish_times(snapshot, snapshot.objects.pe);
  const Floors floors(snapshot, 9);
  const Shedder::Result result = Shedder(snapshot, finish, floors, 9).shed_above(9);
  REQUIRE(result.placed.size() == 2);
  CHECK(result.placed[0] == std::pair<ObjectIndex, PeIndex>{0, 1});
  CHECK(result.placed[1] == std::pair<ObjectIndex, PeIndex>{4, 1});
  CHECK(result.largest_finish == 9);
}
