// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/time_queue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "lb/kernel/random.hpp"

using namespace skein::simulate;

namespace {

// A queue beside a std::map, which gives the expected order.
struct Compared {
  TimeQueue queue;
  std::map<std::pair<Ns, std::uint64_t>, std::uint32_t> expected;
  std::uint64_t order = 0;
  Ns now = 0;

  void push(Ns at) {
    queue.push(at, order, static_cast<std::uint32_t>(order * 7));
    expected[{at, order}] = static_cast<std::uint32_t>(order * 7);
    ++order;
  }
  void pop() {
    const TimeQueue::Item item = queue.top();
    const auto first = expected.begin();
    REQUIRE(item.at == first->first.first);
    REQUIRE(item.order == first->first.second);
    REQUIRE(item.value == first->second);
    now = item.at;
    queue.pop();
    expected.erase(first);
  }
  void pop_all() {
    while (!queue.empty()) pop();
    REQUIRE(expected.empty());
  }
};

}  // namespace

TEST_CASE("time queue: in order of time, and of the numbers at equal times") {
  Compared compared;
  for (const Ns at : std::initializer_list<Ns>{5, 3, 5, 0, 1000000000000, 3, 99999}) compared.push(at);
  CHECK(compared.queue.size() == 7);
  compared.pop_all();
}

TEST_CASE("time queue: what comes for earlier than the next one") {
  Compared compared;
  compared.push(1000000);
  CHECK(compared.queue.top().at == 1000000);  // looks ahead
  compared.push(10);
  compared.push(999999);
  compared.pop_all();
}

TEST_CASE("time queue: times of every scale, while the length of a day changes") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Compared compared;
    skein::lb::Random random(seed);
    for (int round = 0; round < 30; ++round) {
      // 1 ns to 18 s, so that days become longer and shorter.
      const Ns scale = Ns{1} << random.below(35);
      for (int i = 0; i < 3000; ++i) {
        compared.push(compared.now + static_cast<Ns>(random.bits() % static_cast<std::uint64_t>(scale)));
        if (random.below(2) == 0) compared.pop();
      }
      if (random.below(4) == 0) compared.pop_all();
    }
    compared.pop_all();
  }
}

TEST_CASE("time queue: where many are equally far apart, those of the hours to come are told of") {
  Compared compared;
  skein::lb::Random random(4);
  for (int i = 0; i < 5000; ++i) compared.push(static_cast<Ns>(random.below(1'000'000)));
  std::uint64_t told = 0;
  for (int i = 0; i < 200'000; ++i) {
    compared.pop();
    const int shift = compared.queue.hour_shift();
    REQUIRE((compared.now >> shift) <= compared.queue.hour());
    for (Ns hour = compared.queue.hour() + 1; hour < compared.queue.hour() + 4; ++hour)
      for (const TimeQueue::Item& item : compared.queue.items_of(hour)) {
        REQUIRE((item.at >> shift) == hour);
        REQUIRE(compared.expected.at({item.at, item.order}) == item.value);
        ++told;
      }
    compared.push(compared.now + static_cast<Ns>(random.below(1'000'000)));
  }
  CHECK(told >= 200'000);
  compared.pop_all();
}

TEST_CASE("time queue: most items are looked at before they come, stage by stage, once each") {
  constexpr int stages = 3;
  Compared compared;
  LookAhead<stages> ahead;
  skein::lb::Random random(5);
  for (int i = 0; i < 5000; ++i) compared.push(static_cast<Ns>(random.below(1'000'000)));
  std::map<std::uint64_t, int> seen;  // how often, by number
  std::uint64_t popped = 0, seen_in_all = 0;
  int length = compared.queue.hour_shift();
  for (int i = 0; i < 100'000; ++i) {
    const TimeQueue::Item first = compared.queue.top();
    if (std::exchange(length, compared.queue.hour_shift()) != compared.queue.hour_shift()) seen.clear();
    ahead(compared.queue, [&](const TimeQueue::Item& item, int stage) {
      REQUIRE(stage < stages);
      REQUIRE(compared.expected.contains({item.at, item.order}));
      REQUIRE(++seen[item.order] <= stage + 1);
    });
    compared.pop();
    ++popped;
    seen_in_all += seen[first.order] == stages;
    compared.push(compared.now + static_cast<Ns>(random.below(1'000'000)));
  }
  CHECK(seen_in_all >= popped * 3 / 4);
}

TEST_CASE("time queue: looking ahead goes on where hours become longer or shorter, and far apart") {
  Compared compared;
  LookAhead<4> ahead;
  skein::lb::Random random(6);
  std::uint64_t looks = 0, seen = 0;
  for (int round = 0; round < 40; ++round) {
    const Ns scale = Ns{1} << random.below(35);
    for (int i = 0; i < 2000; ++i) {
      compared.push(compared.now + static_cast<Ns>(random.bits() % static_cast<std::uint64_t>(scale)));
      if (random.below(2) == 0) continue;
      (void)compared.queue.top();
      ++looks;
      ahead(compared.queue, [&](const TimeQueue::Item&, int) { ++seen; });
      compared.pop();
    }
    if (random.below(4) == 0) compared.pop_all();
  }
  CHECK(looks > 30000);
  CHECK(seen > 1000);
}

TEST_CASE("time queue: many at one time") {
  Compared compared;
  for (int i = 0; i < 20000; ++i) compared.push(777);
  compared.push(778);
  for (int i = 0; i < 10000; ++i) compared.pop();
  for (int i = 0; i < 10000; ++i) compared.push(777);
  compared.pop_all();
}
