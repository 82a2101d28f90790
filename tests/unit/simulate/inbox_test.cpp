// SPDX-License-Identifier: Apache-2.0
// Messages that come to a PE are taken in order, however many there are; and messages inside a node come as
// the network would have brought them.
#include "lb/simulate/inbox.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "lb/kernel/random.hpp"
#include "tests/unit/simulate/make_trace.hpp"

using namespace skein::simulate;

TEST_CASE("inbox: messages are taken by their times, and of equal times by what else is said") {
  Pool<Message> pool;
  Inbox inbox;
  // Of messages with equal times, those with lower `bytes` come first.
  const auto before = [&](MessageIndex a, MessageIndex b) { return pool[a].bytes < pool[b].bytes; };
  struct Expected {
    Ns at;
    std::uint64_t bytes;
    MessageIndex message;
  };
  std::vector<Expected> expected;
  skein::lb::Random random(5);
  std::uint64_t beyond = 0;
  Ns now = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::size_t most = i / 1000 % 2 ? 30 : 4;
    if (expected.size() < random.below(most)) {
      const MessageIndex message = pool.add();
      const Ns at = now + static_cast<Ns>(random.below(random.below(2) == 0 ? 3 : 40));
      pool[message].at = at;
      pool[message].bytes = static_cast<std::uint64_t>(i % 7 * 100000 + i);
      pool[message].receiver = static_cast<ObjectIndex>(i);
      inbox.insert(pool, message, before);
      expected.push_back({at, pool[message].bytes, message});
      std::ranges::sort(expected, [](const Expected& a, const Expected& b) {
        return a.at != b.at ? a.at < b.at : a.bytes < b.bytes;
      });
    } else if (!expected.empty()) {
      REQUIRE(inbox.first() == expected.front().message);
      now = expected.front().at;  // no later message comes before this time
      inbox.remove_first(pool);
      pool.remove(expected.front().message);
      expected.erase(expected.begin());
    } else {
      REQUIRE(inbox.first() == kNone);
    }
    beyond += inbox.beyond() != kNone;
    std::size_t place = 0;
    inbox.for_nearest([&](MessageIndex message, ObjectIndex receiver) {
      REQUIRE(message == expected[place++].message);
      REQUIRE(receiver == pool[message].receiver);
    });
  }
  CHECK(beyond > 1000);
}

// With contention, all messages go through the network; with {1} those inside a node do not.
TEST_CASE("machine: messages inside a node come as the network brings them") {
  constexpr std::uint32_t ranks = 21;
  std::uint64_t remote = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    skein::lb::Random random(seed);
    Program program(ranks);
    const bool alike = seed % 2 == 0;  // equal bursts of all ranks, so that much happens at the same time
    for (int step = 0; step < 12; ++step) {
      std::vector<std::uint32_t> distances;
      for (std::size_t i = 1 + random.below(6); i-- > 0;)
        distances.push_back(1 + static_cast<std::uint32_t>(random.below(ranks - 1)));
      const std::uint64_t bytes = random.below(4) == 0 ? 20000 : random.below(3000);
      std::vector<std::uint64_t> all;
      for (std::uint64_t i = 2 * distances.size(); i-- > 0;) all.push_back(i);
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        program.on(rank);
        for (const std::uint32_t distance : distances)
          program.ireceive(static_cast<std::int32_t>((rank + distance) % ranks), bytes);
        for (const std::uint32_t distance : distances)
          program.isend(static_cast<std::int32_t>((rank + ranks - distance) % ranks), bytes,
                        alike ? 500 : random.below(2000));
        program.wait(all, alike ? 3000 : random.below(20000));
      }
    }
    for (std::uint32_t rank = 0; rank < ranks; ++rank) program.on(rank).end();
    const skein::trace::Trace trace = program.finish();
    Platform platform = together(5);
    platform.nodes = 1 + seed % 3;
    platform.node.gap_ns = 100;
    platform.node.byte_ns = 0.3;
    platform.network = {.latency_ns = 700, .send_ns = 50, .receive_ns = 40, .gap_ns = 30, .byte_ns = 0.2};
    platform.switch_ns = 10;
    Policy policy;
    policy.keep_bursts = true;
    const Timeline inside = simulate(trace, platform, policy);
    platform.contention = {1};
    const Timeline network = simulate(trace, platform, policy);
    remote += inside.remote_messages;
    CHECK(inside.makespan == network.makespan);
    CHECK(inside.pe_busy == network.pe_busy);
    REQUIRE(inside.bursts.size() == network.bursts.size());
    std::size_t differ = 0;
    for (std::size_t i = 0; i < inside.bursts.size(); ++i) {
      const BurstRecord &a = inside.bursts[i], &b = network.bursts[i];
      differ += a.object != b.object || a.pe != b.pe || a.begin != b.begin || a.end != b.end;
    }
    CHECK(differ == 0);
  }
  CHECK(remote > 10000);
}
