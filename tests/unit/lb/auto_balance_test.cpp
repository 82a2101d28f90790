// SPDX-License-Identifier: Apache-2.0
// What --lb auto chooses: gains and costs are compared in seconds, in whatever unit loads are.
#include "lb/planner/auto_balance.hpp"

#include <doctest/doctest.h>

#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein;
using lb::Interval;
using lb::IntervalShare;

namespace {

// Two PEs: three objects of one load on the first, nothing on the second. Levelled, the fuller one has two:
// the gain is a load in each interval. To move an object takes 10 ms at each of its PEs.
constexpr lb::CostModel costs{.object_s = 0.01};

std::string chosen(double load, IntervalShare::LoadIs what, double busy_s) {
  const lb::Snapshot snapshot = lb::test::make_snapshot(2, {load, load, load}, {0, 0, 0});
  IntervalShare first(0, 2), second(1, 2);
  for (int object = 0; object < 3; ++object) {
    first.add_object(busy_s, 0, 0);
    first.add_load(load, what);
  }
  // Nearly all of the time everybody waits for something else.
  first.set_time(100, 10);
  std::vector<double> sums = first.numbers();
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += second.numbers()[i];
  lb::AutoBalance model({}, costs, true);
  return model.choose(snapshot, Interval(9, 1, sums), {}, 1, {}).row().strategy;
}

}  // namespace

TEST_CASE("auto: ten intervals to come, each a tenth of a second shorter, are worth a move of 10 ms") {
  CHECK(chosen(0.1, IntervalShare::LoadIs::time, 0.1) != "none");
  CHECK(chosen(1e-6, IntervalShare::LoadIs::time, 1e-6) == "none");
}

// A step costs 20 ms, and gains 10 ms in each interval that is to come.
TEST_CASE("auto: what a program did before its first interval tells nothing of how long it goes on") {
  const lb::Snapshot snapshot = lb::test::make_snapshot(2, {0.01, 0.01, 0.01}, {0, 0, 0});
  lb::AutoBalance model({}, {.object_s = 0.02}, true);
  const auto chosen_at = [&](double so_far_s, std::uint64_t index) {
    IntervalShare share(0, 2);
    for (int object = 0; object < 3; ++object) {
      share.add_object(0.01, 0, 0);
      share.add_load(0.01, IntervalShare::LoadIs::time);
    }
    share.set_time(so_far_s, 0.03);
    return model.choose(snapshot, Interval(index, 1, share.numbers()), {}, 1, {}).row().strategy;
  };
  CHECK(chosen_at(60.03, 1) == "none");
  CHECK(chosen_at(60.045, 2) == "none");
  CHECK(chosen_at(60.12, 4) != "none");
}

TEST_CASE("auto: events weigh what they took, not what fits into the interval") {
  CHECK(chosen(3e9, IntervalShare::LoadIs::events, 0.1) != "none");
  CHECK(chosen(3e9, IntervalShare::LoadIs::events, 1e-6) == "none");
}

TEST_CASE("auto: declared loads below a second are not taken for seconds") {
  CHECK(chosen(1e-6, IntervalShare::LoadIs::declared, 0.1) != "none");
  CHECK(chosen(1, IntervalShare::LoadIs::declared, 1e-6) == "none");
}

namespace {

// Two objects of 0.2 s on PE 0 exchange 30 messages of 10 ms, and so do two without load that stay on
// different PEs: 0.3 s at each. What is chosen at the tenth interval that takes so long.
std::string chosen_with_messages(double length_s) {
  lb::Snapshot snapshot = lb::test::make_snapshot(2, {0.2, 0.2, 0, 0}, {0, 0, 0, 1});
  const std::vector<lb::CommEdge> edges{{0, 1, 1000, 30}, {2, 3, 1000, 30}};
  snapshot.graph = lb::make_comm_graph(4, edges);
  IntervalShare all(0, 2);
  for (int object = 0; object < 2; ++object) {
    all.add_object_on(0, 0.2, 0, 0);
    all.add_load(0.2, IntervalShare::LoadIs::time);
  }
  all.set_time(10 * length_s, length_s);
  lb::AutoBalance model({}, {.object_s = 0.01, .remote_message_s = 0.01}, true);
  std::string last;
  for (int step = 0; step < 10; ++step)
    last = model.choose(snapshot, Interval(9, 1, all.numbers()), {}, 1, {}).row().strategy;
  return last;
}

}  // namespace

// To part the two of 0.2 s takes 0.2 s from the computing of the fullest PE, and adds 0.3 s of messages.
// Where an interval takes 0.7 s, messages show in full, and it does not pay; where it takes no longer than
// its computing, they do not show at all, and it does.
TEST_CASE("auto: messages cost what intervals take beyond their computing") {
  CHECK(chosen_with_messages(0.7) == "none");
  CHECK(chosen_with_messages(0.4) != "none");
}
