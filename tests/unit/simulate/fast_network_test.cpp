// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <map>

#include "lb/simulate/network.hpp"

using namespace skein::simulate;

namespace {

// A kilobyte takes 600 ns on each side in the network, and 150 ns in a node.
Platform flat(std::uint32_t nodes, std::uint32_t pes_per_node) {
  Platform platform;
  platform.nodes = nodes;
  platform.pes_per_node = pes_per_node;
  platform.network.latency_ns = 1000;
  platform.network.gap_ns = 100;
  platform.network.byte_ns = 0.5;
  platform.node.latency_ns = 200;
  platform.node.gap_ns = 50;
  platform.node.byte_ns = 0.1;
  return platform;
}

// Returns when each message arrives. All have been sent.
std::map<std::uint64_t, Ns> arrivals(Network& network) {
  std::map<std::uint64_t, Ns> result;
  while (network.next() != kNever) {
    const Ns next = network.next();
    const Delivery delivery = network.take();
    CHECK(delivery.at == next);
    if (delivery.message != Delivery::none) result[delivery.message] = delivery.at;
  }
  return result;
}

using Expected = std::map<std::uint64_t, Ns>;

}  // namespace

TEST_CASE("fast network: a message takes its side's time and the latency") {
  const auto network = make_fast_network(flat(2, 2));
  CHECK(network->next() == kNever);
  network->send(7, 0, 2, 1000, 50);
  CHECK(arrivals(*network) == Expected{{7, 50 + 600 + 1000}});
  network->send(8, 0, 1, 1000, 5000);
  CHECK(arrivals(*network) == Expected{{8, 5000 + 150 + 200}});
}

TEST_CASE("fast network: the PEs of a node take turns in sending to others") {
  const auto network = make_fast_network(flat(2, 2));
  network->send(1, 0, 2, 1000, 0);
  network->send(2, 1, 3, 1000, 0);
  network->send(3, 1, 0, 1000, 0);  // stays in the node
  CHECK(arrivals(*network) == Expected{{1, 1600}, {2, 600 + 1600}, {3, 350}});
}

TEST_CASE("fast network: in a node each PE has sides of its own") {
  const auto network = make_fast_network(flat(1, 4));
  network->send(1, 0, 1, 1000, 0);
  network->send(2, 2, 3, 1000, 0);
  network->send(3, 2, 1, 1000, 0);  // leaves PE 2 at 150, and PE 1 has been free since 350
  network->send(4, 0, 1, 1000, 0);  // leaves PE 0 at 150 as well, and comes second
  CHECK(arrivals(*network) == Expected{{1, 350}, {2, 350}, {3, 500}, {4, 650}});
}

TEST_CASE("fast network: a node receives in the order in which first bytes come") {
  const auto network = make_fast_network(flat(3, 1));
  // First bytes at 1000, 1600 and 2200.
  for (std::uint64_t message : {0, 1, 2}) network->send(message, 0, 2, 1000, 0);
  network->send(3, 1, 2, 1000, 650);  // first byte at 1650: after message 1, before message 2
  CHECK(arrivals(*network) == Expected{{0, 1600}, {1, 2200}, {3, 2800}, {2, 3400}});
}

TEST_CASE("fast network: equal times come in the order of sending") {
  Platform platform;
  platform.nodes = 4;
  const auto network = make_fast_network(platform);
  for (std::uint64_t message : {5, 3, 4}) network->send(message, 0, 1, 100, 20);
  for (std::uint64_t message : {5, 3, 4}) {
    CHECK(network->next() == 20);
    CHECK(network->take().message == message);
  }
}

TEST_CASE("levels: inside a PE, a node, and between nodes") {
  Platform platform = flat(2, 2);
  CHECK(&level_between(platform, 1, 1) == &platform.pe);
  CHECK(&level_between(platform, 0, 1) == &platform.node);
  CHECK(&level_between(platform, 1, 2) == &platform.network);
  platform.network.send_ns = 10.4;
  platform.network.send_byte_ns = 0.25;
  platform.network.receive_ns = 20;
  platform.network.receive_byte_ns = 1.5;
  CHECK(send_time(platform.network, 2) == 11);
  CHECK(receive_time(platform.network, 2) == 23);
}
