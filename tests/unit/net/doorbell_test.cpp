// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/doorbell.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "runtime/base/clock.hpp"

using skein::net::Doorbell;

namespace {
constexpr std::int64_t second_ns = 1'000'000'000;
}

TEST_CASE("doorbell: nobody sleeps for what has come") {
  Doorbell bell{};
  const double begin = skein::seconds();
  bell.sleep(60 * second_ns, [] { return true; });
  CHECK(skein::seconds() - begin < 30);
}

TEST_CASE("doorbell: a sleep ends by itself") {
  Doorbell bell{};
  const double begin = skein::seconds();
  bell.sleep(second_ns / 100, [] { return false; });
  CHECK(skein::seconds() - begin >= 0.01);
}

TEST_CASE("doorbell: no ring is missed") {
  // Each thread sleeps until the other has counted on. A single missed ring takes longer than the test may.
  Doorbell bells[2]{};
  std::atomic<int> count{0};
  constexpr int rounds = 20'000;
  const auto take_turns = [&](int me) {
    for (int turn = me; turn < rounds; turn += 2) {
      const auto has_come = [&] { return count.load(std::memory_order_relaxed) >= turn; };
      while (!has_come()) bells[me].sleep(3600 * second_ns, has_come);
      count.store(turn + 1, std::memory_order_relaxed);
      bells[1 - me].ring();
    }
  };
  std::thread other([&] { take_turns(1); });
  take_turns(0);
  other.join();
  CHECK(count == rounds);
}
