// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <csignal>
#include <map>
#include <thread>

#include "lb/simulate/network.hpp"
#include "tests/unit/simulate/make_trace.hpp"

using namespace skein::simulate;

namespace {

// A kilobyte takes 500 ns on each side.
Platform nodes(std::uint32_t count) {
  Platform platform;
  platform.nodes = count;
  platform.network.latency_ns = 1000;
  platform.network.byte_ns = 0.5;
  return platform;
}

using Expected = std::map<std::uint64_t, Ns>;
Expected arrivals(Network& network) {
  Expected result;
  while (network.next() != kNever) {
    const Ns next = network.next();
    const Delivery delivery = network.take();
    CHECK(delivery.at == next);
    if (delivery.message != Delivery::none) result[delivery.message] = delivery.at;
  }
  return result;
}

// Returns SimGrid's network; null, with a message, if this build has none.
std::unique_ptr<Network> simgrid(const Platform& platform) {
  try {
    return make_simgrid_network(platform);
  } catch (const SimulationError& error) {
    CHECK(std::string(error.what()).find("install libsimgrid-dev") != std::string::npos);
    return nullptr;
  }
}

}  // namespace

TEST_CASE("simgrid network: a message alone takes the latency and its bytes") {
  const auto network = simgrid(nodes(3));
  if (!network) return;
  CHECK(network->next() == kNever);
  network->send(1, 0, 1, 1000, 50);
  CHECK(arrivals(*network) == Expected{{1, 50 + 1000 + 500}});
  network->send(2, 2, 1, 2000, 10000);
  CHECK(arrivals(*network) == Expected{{2, 10000 + 1000 + 1000}});
}

TEST_CASE("simgrid network: flows share a side") {
  const auto network = simgrid(nodes(4));
  if (!network) return;
  // Two messages from one node: 1 B/ns each from 1000 on, until the short one is through at 2000; then the
  // long one has 1000 B left and 2 B/ns.
  network->send(1, 0, 1, 1000, 0);
  network->send(2, 0, 2, 2000, 0);
  CHECK(arrivals(*network) == Expected{{1, 2000}, {2, 2500}});
  // Two messages to one node.
  network->send(3, 0, 3, 1000, 10000);
  network->send(4, 1, 3, 1000, 10000);
  CHECK(arrivals(*network) == Expected{{3, 12000}, {4, 12000}});
  // One comes later: at 21400 the first has 200 B left, and ends at 21600 at 1 B/ns; then the second has 800
  // B left.
  network->send(5, 0, 3, 1000, 20000);
  network->send(6, 1, 3, 1000, 20400);
  CHECK(arrivals(*network) == Expected{{5, 21600}, {6, 22000}});
}

// Far from the clock's zero, the rest of a flow that has shared its way may be bytes that take no time which
// the clock can show.
TEST_CASE("simgrid network: a rest that is only rounding comes to its end") {
  struct Flow {
    PeIndex from, to;
    std::uint64_t bytes;
    Ns at;
  };
  constexpr Flow flows[] = {
      {8, 5, 0, 0},         {5, 8, 0, 257},      {13, 5, 16144, 660}, {15, 7, 0, 946},  {5, 13, 12496, 1063},
      {13, 5, 20176, 1260}, {5, 8, 16144, 1757}, {8, 5, 20176, 1857}, {3, 2, 16, 2378}, {7, 15, 0, 2546},
      {3, 4, 16, 3742},     {15, 6, 0, 4510},    {4, 3, 16, 5400},    {4, 5, 16, 6508}};
  Platform platform = nodes(16);
  platform.network.latency_ns = 900;
  platform.network.byte_ns = 0.1;
  platform.network.gap_ns = 100;
  const auto network = simgrid(platform);
  if (!network) return;
  constexpr Ns far = 422'649'339, apart = 50'001;
  constexpr std::size_t rounds = 1000;
  std::size_t changes = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::size_t sent = 0, arrived = 0;
    while (arrived < std::size(flows) && changes < rounds * 10 * std::size(flows)) {
      const Ns at = sent < std::size(flows) ? far + static_cast<Ns>(round) * apart + flows[sent].at : kNever;
      if (at < network->next()) {
        network->send(sent, flows[sent].from, flows[sent].to, flows[sent].bytes, at);
        ++sent;
      } else {
        ++changes;
        arrived += network->take().message != Delivery::none;
      }
    }
    REQUIRE(arrived == std::size(flows));
  }
}

TEST_CASE("simgrid network: latencies of a second are taken, longer ones refused") {
  Platform platform = nodes(3);
  platform.network.latency_ns = 1e9;
  platform.network.byte_ns = 1e6;
  if (const auto network = simgrid(platform)) {
    network->send(1, 0, 1, 1000, 0);
    network->send(2, 0, 2, 1000, 0);
    CHECK(arrivals(*network) == Expected{{1, 3'000'000'000}, {2, 3'000'000'000}});
  } else {
    return;
  }
  platform.network.latency_ns = 1.5e9;
  std::string said;
  try {
    (void)make_simgrid_network(platform);
  } catch (const SimulationError& error) {
    said = error.what();
  }
  CHECK(said.find("the platform has 1.500000 s (network.latency_ns") != std::string::npos);
}

TEST_CASE("simgrid network: messages inside a node are the fast network's") {
  Platform platform = nodes(2);
  platform.pes_per_node = 2;
  platform.node.latency_ns = 100;
  platform.node.byte_ns = 0.1;
  const auto network = simgrid(platform);
  if (!network) return;
  network->send(1, 0, 1, 1000, 0);
  network->send(2, 0, 2, 1000, 0);
  network->send(3, 2, 3, 1000, 1450);
  CHECK(arrivals(*network) == Expected{{1, 200}, {2, 1500}, {3, 1650}});
}

TEST_CASE("simgrid network: hops of a torus") {
  Platform platform = nodes(5);
  platform.links = {NetworkKind::torus, {5}, {}, 10, 1};
  const auto network = simgrid(platform);
  if (!network) return;
  network->send(1, 0, 2, 400, 0);  // the links are the slowest: 400 ns
  CHECK(arrivals(*network) == Expected{{1, 1000 + 2 * 10 + 400}});
}

TEST_CASE("simgrid network: as often as one likes, from any thread, and Ctrl-C stays ours") {
  if (!simgrid(nodes(2))) return;
  std::signal(SIGINT, SIG_IGN);
  std::vector<std::thread> threads;
  std::vector<Expected> results(4);
  for (Expected& result : results)
    threads.emplace_back([&result] {
      for (int i = 0; i < 3; ++i) {
        const auto network = simgrid(nodes(2));
        network->send(1, 0, 1, 1000, 7);
        result = arrivals(*network);
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const Expected& result : results) CHECK(result == Expected{{1, 1507}});
  const bool ours = std::signal(SIGINT, SIG_DFL) == SIG_IGN;
  CHECK(ours);
}

TEST_CASE("simgrid network: too many nodes are refused") {
  if (!simgrid(nodes(2))) return;
  CHECK_THROWS_WITH_AS(make_simgrid_network(nodes(5000)),
                       "the simgrid network is for up to 4096 nodes, and the platform has 5000; the fast "
                       "network takes more",
                       SimulationError);
}

TEST_CASE("simgrid network: flows share a side whatever their latency") {
  // SimGrid shares by the inverse of latencies.
  Platform platform = nodes(31);
  platform.network.latency_ns = 5e6;
  platform.network.byte_ns = 50;
  const auto network = simgrid(platform);
  if (!network) return;
  Expected expected;
  for (std::uint32_t from = 0; from < 30; ++from) {
    network->send(from, from, 30, 1000, 0);
    expected[from] = 5'000'000 + 30 * 1000 * 50;
  }
  CHECK(arrivals(*network) == expected);
}

TEST_CASE("simgrid network: a short message that overtakes a long one is matched after it") {
  if (!simgrid(nodes(2))) return;
  Program program(2);
  program.on(0).isend(1, 8000).isend(1, 8, 1).wait({0, 1}).end();
  program.on(1).receive(0, 8000).receive(0, 8, 100).end(50);
  Policy policy;
  policy.engine = NetworkEngine::simgrid;
  // The long one has 2 B/ns from 1000 to 1001, then they share, until the short one is there at 1009; the
  // rest of the long one, 7990 B, is there at 5004. The second receive finds its message.
  CHECK(simulate(program.finish(), nodes(2), policy).makespan == 5004 + 100 + 50);
}
