// SPDX-License-Identifier: Apache-2.0
// Properties of any messages on any network.
#include <doctest/doctest.h>

#include <map>
#include <utility>
#include <vector>

#include "lb/kernel/random.hpp"
#include "lb/simulate/network.hpp"

using namespace skein::simulate;

namespace {

struct Sent {
  PeIndex from, to;
  std::uint64_t bytes;
  Ns at;
};

std::vector<Platform> platforms() {
  Platform flat;
  flat.nodes = 12;
  flat.pes_per_node = 2;
  flat.network = {.latency_ns = 1000, .gap_ns = 50, .byte_ns = 0.5};
  flat.node = {.latency_ns = 100, .gap_ns = 10, .byte_ns = 0.1};
  Platform torus = flat;
  torus.links = {NetworkKind::torus, {3, 2, 2}, {}, 30, 0.75};
  Platform tree = flat;
  tree.links = {NetworkKind::fat_tree, {3, 4}, {2}, 30, 0.5};
  return {flat, torus, tree};
}

std::vector<Sent> random_messages(std::uint64_t seed, std::uint32_t pes) {
  skein::lb::Random random(seed);
  std::vector<Sent> result;
  Ns at = 0;
  for (int i = 0; i < 2000; ++i) {
    const PeIndex from = random.below(pes);
    at += random.below(200);
    result.push_back({from, (from + 1 + random.below(pes - 1)) % pes, random.below(5000), at});
  }
  return result;
}

// Returns when each message arrives. Takes arrivals between sends, as an engine does.
std::vector<Ns> play(const Platform& platform, const std::vector<Sent>& messages) {
  const auto network = make_fast_network(platform);
  std::vector<Ns> arrival(messages.size(), kNever);
  Ns before = 0;
  const auto take_until = [&](Ns limit) {
    while (network->next() != kNever && network->next() <= limit) {
      const Delivery delivery = network->take();
      REQUIRE(delivery.at >= before);
      before = delivery.at;
      if (delivery.message == Delivery::none) continue;
      REQUIRE(arrival[delivery.message] == kNever);  // once
      arrival[delivery.message] = delivery.at;
    }
  };
  for (std::size_t i = 0; i < messages.size(); ++i) {
    take_until(messages[i].at);
    network->send(i, messages[i].from, messages[i].to, messages[i].bytes, messages[i].at);
  }
  take_until(kNever - 1);
  return arrival;
}

}  // namespace

TEST_CASE("network properties: each message arrives once, and no sooner than alone") {
  for (const Platform& platform : platforms())
    for (const std::uint64_t seed : {1, 2, 3}) {
      const std::vector<Sent> messages = random_messages(seed, platform.pe_count());
      const std::vector<Ns> arrival = play(platform, messages);
      CHECK(play(platform, messages) == arrival);  // and always then
      for (std::size_t i = 0; i < messages.size(); i += 17) {
        REQUIRE(arrival[i] != kNever);
        CHECK(arrival[i] >= play(platform, {messages[i]})[0]);
      }
    }
}

TEST_CASE("network properties: a better network is never slower for a message alone") {
  for (const Platform& platform : platforms())
    for (const Sent& message : random_messages(4, platform.pe_count())) {
      Platform better = platform;
      better.network.byte_ns /= 2;
      better.network.latency_ns -= 7;
      better.links.byte_ns /= 3;
      better.links.hop_ns -= 1;
      CHECK(play(better, {message})[0] <= play(platform, {message})[0]);
    }
}

// Where messages meet, a quicker one may come before another and hold up a third. Where only messages of one
// sender and receiver meet, none does.
TEST_CASE("network properties: more bandwidth makes no message later that has its sides for itself") {
  const Platform platform = platforms()[0];
  for (const double part : {0.9, 0.5, 0.1}) {
    Platform better = platform;
    better.network.byte_ns *= part;
    better.network.gap_ns *= part;
    std::vector<Sent> messages = random_messages(5, platform.pe_count());
    for (Sent& message : messages) {
      message.from &= ~PeIndex{1};
      message.to = (message.from + 10) % platform.pe_count();
    }
    const std::vector<Ns> usual = play(platform, messages), quicker = play(better, messages);
    for (std::size_t i = 0; i < messages.size(); ++i) REQUIRE(quicker[i] <= usual[i]);
  }
}

TEST_CASE("network properties: messages from one PE to another arrive in the order in which they left") {
  for (const Platform& platform : platforms()) {
    REQUIRE(make_fast_network(platform)->keeps_order());
    for (const std::uint64_t seed : {1, 2, 3}) {
      const std::vector<Sent> messages = random_messages(seed, platform.pe_count());
      const std::vector<Ns> arrival = play(platform, messages);
      std::map<std::pair<PeIndex, PeIndex>, Ns> last;
      int pairs = 0;
      for (std::size_t i = 0; i < messages.size(); ++i) {
        Ns& before = last[{messages[i].from, messages[i].to}];
        pairs += before > 0;
        CHECK(arrival[i] >= before);
        before = arrival[i];
      }
      CHECK(pairs > 1000);
    }
  }
}
