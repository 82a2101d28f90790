// SPDX-License-Identifier: Apache-2.0
// LB steps on a simulated machine: their decisions, their times, and when they come.
#include "lb/simulate/balancer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lb/kernel/random.hpp"

using namespace skein;
using namespace skein::simulate;

namespace {

// Two nodes of two PEs. A meeting takes 1 us a level of the tree, of which there are two; an object 100 ns to
// collect and 1 us to move at each end; a byte 2 ns more inside a node and 3 ns between nodes.
Platform two_nodes() {
  Platform platform;
  platform.name = "two";
  platform.nodes = 2;
  platform.pes_per_node = 2;
  platform.moves = {.meeting_ns = 1000,
                    .collect_object_ns = 100,
                    .object_ns = 1000,
                    .node_byte_ns = 2,
                    .network_byte_ns = 3};
  platform.decision_element_ns = {{"refine", 10}, {"rotate", 10}, {"refine-comm", 10}, {"greedy", 10}};
  return platform;
}

Policy policy(const std::string& strategy, std::uint64_t period = 1) {
  Policy given;
  given.strategy = strategy;
  given.period = period;
  return given;
}

const std::vector<Ns> nobody_waited(16, 0);  // long enough for the PEs of all tests here

std::vector<ObjectMeasurement> measured(const std::vector<Ns>& busy, std::uint64_t bytes = 10) {
  std::vector<ObjectMeasurement> objects;
  for (const Ns ns : busy) objects.push_back({.busy = ns, .bytes = bytes});
  return objects;
}

template <class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const SimulationError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("balancer: a step by hand") {
  const Platform platform = two_nodes();
  Balancer balancer(platform, policy("rotate", 3), {0, 0, 1, 3});
  CHECK_FALSE(balancer.gathers(0));
  CHECK(balancer.gathers(2));
  CHECK(balancer.gathers(5));
  CHECK_FALSE(balancer.wants_traffic());

  // Every object goes to the next PE. Two stay within node 0, one goes from node 0 to 1, one back.
  const StepOutcome outcome = balancer.step(50'000, nobody_waited, measured({5000, 1000, 2000, 4000}), {});
  CHECK(outcome.placement == lb::Assignment{1, 1, 2, 0});
  CHECK(balancer.placement() == outcome.placement);
  const StepRecord& record = outcome.record;
  CHECK(record.points == 3);
  CHECK(record.strategy == "rotate");
  CHECK(record.meet == 2000);            // two levels
  CHECK(record.collect == 4 * 100);      // four objects
  CHECK(record.decide == (4 + 4) * 10);  // and four PEs
  CHECK(outcome.decided == 2000 + 400 + 80);
  // 6, 2, 0 and 4 us: 3 on average. Afterwards PE 1 has the 6.
  CHECK(record.imbalance_before == doctest::Approx(100));
  CHECK(record.imbalance_after == doctest::Approx(100));
  CHECK(record.moved == 4);
  CHECK(record.moved_bytes == 40);
  // PE 0 sends two objects inside the node (1000 + 20 each) and gets one from the other node (1000 + 30); PE
  // 1 gets two and sends one; PE 2 gets one; PE 3 sends one.
  CHECK(outcome.moving_of_pe == std::vector<Ns>{3070, 3070, 1030, 1030});
  CHECK(record.move == 3070);
  REQUIRE(outcome.transfers.size() == 2);
  CHECK(outcome.transfers[0].from == 1);
  CHECK(outcome.transfers[0].to == 2);
  CHECK(outcome.transfers[0].bytes == 10);
  CHECK(outcome.transfers[1].from == 3);
  CHECK(outcome.transfers[1].to == 0);
}

TEST_CASE("balancer: what refine does with loads is what refine does with them in a run") {
  const Platform platform = two_nodes();
  Balancer balancer(platform, policy("refine"), {0, 0, 0, 0});
  // The heaviest object, 3 us, is more than the average of 2; it goes first, or the others do. No PE is above
  // 3.
  const StepOutcome outcome = balancer.step(10'000, nobody_waited, measured({3000, 2000, 2000, 1000}), {});
  std::vector<Ns> load(4, 0);
  const std::vector<Ns> loads{3000, 2000, 2000, 1000};
  for (std::size_t i = 0; i < 4; ++i) load[outcome.placement[i]] += loads[i];
  CHECK(*std::max_element(load.begin(), load.end()) == 3000);
  CHECK(outcome.record.imbalance_before == doctest::Approx(300));
  CHECK(outcome.record.imbalance_after == doctest::Approx(50));
}

TEST_CASE("balancer: objects that have ended stay, with a strategy that moves everything") {
  const Platform platform = two_nodes();
  Balancer balancer(platform, policy("rotate"), {0, 1});
  std::vector<ObjectMeasurement> objects = measured({1000, 1000});
  objects[1].ended = true;
  CHECK(balancer.step(10'000, nobody_waited, objects, {}).placement == lb::Assignment{1, 1});
}

TEST_CASE("balancer: partners are looked at by strategies that look at them") {
  const Platform platform = two_nodes();
  Balancer balancer(platform, policy("refine-comm"), {0, 0, 1, 1});
  CHECK(balancer.wants_traffic());
  // The loads are level; objects 0 and 3 talk, 1 and 2 do not: with a horizon that makes the move pay, 0 and
  // 3 end on one PE. Whatever the strategy decides, the two edges count: (4 objects + 4 PEs + 2 edges) * 10.
  const std::vector<lb::CommEdge> traffic{{0, 3, 1e6, 10}, {3, 0, 1e6, 10}};
  CHECK(balancer.step(10'000, nobody_waited, measured({1000, 1000, 1000, 1000}), traffic).record.decide ==
        100);
}

TEST_CASE("balancer: no strategy, no steps") {
  const Platform platform = two_nodes();
  const Balancer balancer(platform, policy("none"), {0, 0});
  for (std::uint64_t passed = 0; passed < 50; ++passed) CHECK_FALSE(balancer.gathers(passed));
}

TEST_CASE("balancer: a distributed strategy moves from the full PE to others, and pays for its rounds") {
  Platform platform = two_nodes();
  platform.network.latency_ns = 1000;
  platform.decision_element_ns = {{"diffusion", 10}};
  Balancer balancer(platform, policy("diffusion"), lb::Assignment(16, 0));
  const StepOutcome outcome = balancer.step(100'000, nobody_waited, measured(std::vector<Ns>(16, 1000)), {});
  CHECK(outcome.record.moved > 0);
  CHECK(outcome.record.imbalance_after < outcome.record.imbalance_before);
  // PE 0 looks at its 16 objects; each round takes two levels of 1 us.
  CHECK(outcome.record.decide > (16 + 1) * 10);
  CHECK((outcome.record.decide - (16 + 1) * 10) % 2000 == 0);
}

TEST_CASE("balancer: with an automatic period a distributed strategy decides from the second step on") {
  Platform platform = two_nodes();
  platform.decision_element_ns = {{"diffusion", 10}};
  Balancer balancer(platform, policy("diffusion", 0), lb::Assignment(16, 0));
  const auto step = [&](Ns now) {
    const StepOutcome outcome = balancer.step(now, nobody_waited, measured(std::vector<Ns>(16, 1000)), {});
    balancer.moved_in(outcome.record.move);
    return outcome.record;
  };
  const StepRecord first = step(100'000);
  CHECK(first.strategy == "none");
  CHECK(first.moved == 0);
  CHECK(first.decide == 0);
  CHECK(first.imbalance_after == first.imbalance_before);
  const StepRecord second = step(200'000);
  CHECK(second.strategy == "diffusion");
  CHECK(second.moved > 0);
}

TEST_CASE(
    "balancer: with an automatic period, looking takes no more than it may while nothing is to be done") {
  Platform platform = two_nodes();
  platform.moves.meeting_ns = 5e6;  // two levels: as long as a point
  Balancer balancer(platform, policy("refine", 0), {0, 1, 2, 3});
  std::uint64_t steps = 0;
  Ns now = 0;
  for (std::uint64_t passed = 0; passed < 1000; ++passed) {
    now += 10'000'000;
    if (!balancer.gathers(passed)) continue;
    ++steps;
    const Ns each = 10'000'000;
    now += balancer.step(now, nobody_waited, measured({each, each, each, each}), {}).decided;
    balancer.moved_in(0);
  }
  // The square root of 6 * 0.03 * 1000 points, 13.4, changed by rounding to intervals of whole points.
  CHECK(steps >= 11);
  CHECK(steps <= 16);
}

namespace {

// Plays `points` sync points under --lb auto --lb-period auto, with the loads that `load_of(object, point)`
// tells and meetings of 10 ms. Returns the points after which objects moved.
template <class LoadOf>
std::vector<std::uint64_t> points_of_moves(std::uint64_t points, lb::Assignment placed, LoadOf load_of) {
  Platform platform = two_nodes();
  platform.moves.meeting_ns = 5e6;  // two levels: 10 ms
  Balancer balancer(platform, policy("auto", 0), placed);
  std::vector<ObjectMeasurement> since(placed.size(), {.bytes = 10});
  std::vector<std::uint64_t> moves;
  Ns now = 0;
  for (std::uint64_t point = 0; point < points; ++point) {
    std::vector<Ns> of_pe(4, 0);
    for (std::size_t i = 0; i < since.size(); ++i) {
      const Ns load = load_of(i, point);
      since[i].busy += load;
      of_pe[balancer.placement()[i]] += load;
    }
    now += std::ranges::max(of_pe);
    if (!balancer.gathers(point)) continue;
    const StepOutcome outcome = balancer.step(now, nobody_waited, since, {});
    if (outcome.record.moved > 0) moves.push_back(point);
    now += outcome.decided + outcome.record.move;
    balancer.moved_in(outcome.record.move);
    for (ObjectMeasurement& one : since) one.busy = 0;
  }
  return moves;
}

}  // namespace

// An object of 30 ms, and fifteen of 4 ms on PEs that take 42, 16, 16 and 16 ms of them.
TEST_CASE("balancer: auto moves once where imbalance stays, and never for what cannot be levelled") {
  lb::Assignment blocks(16);
  for (std::size_t i = 0; i < 16; ++i) blocks[i] = static_cast<lb::PeIndex>(i / 4);
  const auto moves = points_of_moves(
      1000, blocks, [](std::size_t i, std::uint64_t) { return Ns{i == 0 ? 30'000'000 : 4'000'000}; });
  CHECK(moves.size() == 1);
  CHECK(moves.front() <= 2);
}

TEST_CASE("balancer: auto moves less than once in 100 points for noise around even loads") {
  lb::Assignment blocks(16);
  for (std::size_t i = 0; i < 16; ++i) blocks[i] = static_cast<lb::PeIndex>(i / 4);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto noise = [seed](std::size_t i, std::uint64_t point) {
      return static_cast<Ns>(1e7 * (0.8 + 0.4 * lb::Random::at(seed, point * 16 + i).unit()));
    };
    CAPTURE(seed);
    CHECK(points_of_moves(2000, blocks, noise).size() < 20);
  }
}

TEST_CASE("balancer: auto moves what pays, and says why") {
  const Platform platform = two_nodes();
  Balancer balancer(platform, policy("auto"), lb::Assignment(8, 0));
  const StepOutcome outcome =
      balancer.step(80'000'000, nobody_waited, measured(std::vector<Ns>(8, 10'000'000)), {});
  CHECK(outcome.record.strategy != "none");
  CHECK(outcome.record.imbalance_after == doctest::Approx(0));
  CHECK(outcome.record.why.find("none") != std::string::npos);
  balancer.moved_in(outcome.record.move);
  // The loads are level now: nothing is tried any more.
  const StepOutcome next =
      balancer.step(110'000'000, nobody_waited, measured(std::vector<Ns>(8, 10'000'000)), {});
  CHECK(next.record.strategy == "none");
  CHECK(next.record.moved == 0);
}

TEST_CASE("balancer: the same steps twice are the same") {
  const Platform platform = two_nodes();
  const auto play = [&] {
    Balancer balancer(platform, policy("auto", 0), lb::Assignment(12, 0));
    std::vector<Ns> told;
    Ns now = 0;
    for (std::uint64_t passed = 0; passed < 60; ++passed) {
      now += 3'000'000;
      if (!balancer.gathers(passed)) continue;
      std::vector<Ns> busy;
      for (Ns i = 0; i < 12; ++i) busy.push_back(100'000 * ((i * 7 + static_cast<Ns>(passed)) % 12 + 1));
      const StepOutcome outcome = balancer.step(now, nobody_waited, measured(busy), {});
      told.insert(told.end(), {static_cast<Ns>(passed), outcome.decided, outcome.record.move});
      balancer.moved_in(outcome.record.move);
    }
    return told;
  };
  CHECK(play() == play());
}

TEST_CASE("balancer: what cannot be done is said") {
  Platform platform = two_nodes();
  const auto make = [&](const std::string& strategy, lb::Assignment placed) {
    return message_of([&] { Balancer(platform, policy(strategy), std::move(placed)); });
  };
  CHECK(make("rcb", {0}).find("strategy 'rcb' needs positions") != std::string::npos);
  CHECK(make("offline", {0}).find("'file'") != std::string::npos);
  CHECK(make("refine", {0, 4}).find("object 1 is placed on PE 4") != std::string::npos);
  CHECK_THROWS_AS(Balancer(platform, policy("refien"), {0}), lb::StrategyError);

  // Four objects of 10 bytes, four PEs of 8: nothing fits anywhere.
  platform.memory_bytes = 8;
  Balancer tight(platform, policy("greedy"), {0, 1, 2, 3});
  const std::string text = message_of([&] {
    tight.step(1000, nobody_waited, measured({100, 100, 100, 100}), {});
  });
  CHECK(text.find("PE 0 have 10 bytes in use") != std::string::npos);
  CHECK(text.find("(memory_bytes, or --lb-memory)") != std::string::npos);
}

TEST_CASE("balancer: memory limits are kept") {
  Platform platform = two_nodes();
  platform.memory_bytes = 20;
  Balancer balancer(platform, policy("greedy"), {0, 0, 1, 1, 2, 2});
  const StepOutcome outcome = balancer.step(1000, nobody_waited, measured({900, 10, 10, 10, 10, 10}), {});
  std::vector<std::uint64_t> held(4, 0);
  for (const lb::PeIndex pe : outcome.placement) held[pe] += 10;
  for (const std::uint64_t bytes : held) CHECK(bytes <= 20);
}

TEST_CASE("balancer: diffusion:every_step has a step at each sync point") {
  const Platform platform = two_nodes();
  const Balancer balancer(platform, policy("diffusion:every_step", 20), {0, 0});
  for (std::uint64_t passed = 0; passed < 50; ++passed) CHECK(balancer.gathers(passed));
}
