// SPDX-License-Identifier: Apache-2.0
// A timeline shows that a number of a level is read: it changes with the number.
#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>

#include "lb/simulate/platform_members.hpp"
#include "make_trace.hpp"

using namespace skein::simulate;

namespace {

// Eight ranks are on two nodes of two PEs each. Rank 0 sends to a rank on its PE, to one on its node, and to
// one elsewhere: messages of each size, which all come before they are received, or after.
skein::trace::Trace all_ways() {
  Program program(8);
  for (const std::int32_t to : {1, 2, 4})
    for (const std::uint64_t bytes : {1'000u, 20'000u, 200'000u}) {
      program.on(0).send(to, bytes, 10'000);
      program.on(static_cast<skein::trace::ObjectIndex>(to)).receive(0, bytes, 1'000);
    }
  return program.finish();
}

Platform two_nodes() {
  Platform platform;
  platform.name = "two nodes";
  platform.nodes = 2;
  platform.pes_per_node = 2;
  return platform;
}

Level* level_of(Platform& platform, int level) {
  return level == 0 ? &platform.pe : level == 1 ? &platform.node : &platform.network;
}

// Multiplies the member of that number by `factor`, and returns its name.
std::string set_member(Level& level, int number, double factor) {
  std::string name;
  int at = 0;
  const auto visit = [&](const char* member, auto& value, const AllowedRange&, const char*) {
    if (at++ != number) return;
    name = member;
    value = static_cast<std::remove_reference_t<decltype(value)>>(static_cast<double>(value) * factor);
  };
  each_member_of_level(visit, level);
  return name;
}

bool alike(const Timeline& a, const Timeline& b) {
  return a.makespan == b.makespan && std::ranges::equal(a.bursts, b.bursts, [](const auto& x, const auto& y) {
           return x.object == y.object && x.begin == y.begin && x.end == y.end;
         });
}

}  // namespace

TEST_CASE("platform: which numbers of a level an engine reads") {
  const skein::trace::Trace job = all_ways();
  const Level all{100, 200, 0.1, 300, 0.2, 0.3, 400, 0.5, 10'000};
  for (std::size_t number = 0; number < std::size(kEngineNames); ++number) {
    const auto engine = static_cast<NetworkEngine>(number);
    Policy policy;
    policy.engine = engine;
    policy.keep_bursts = true;
    Platform platform = two_nodes();
    platform.pe = platform.node = platform.network = all;
    const Timeline before = simulate(job, platform, policy);
    for (int level = 0; level < 3; ++level)
      for (int member = 0; member < 9; ++member) {
        Platform other = platform, alone = two_nodes();
        const std::string name = set_member(*level_of(other, level), member, 10);
        *level_of(alone, level) = all;
        for (int rest = 0; rest < 9; ++rest)
          if (rest != member) set_member(*level_of(alone, level), rest, 0);
        if (level == 2 && name == "gap_ns") alone.network.byte_ns = 1;  // SimGrid converts a gap to bytes
        CAPTURE(level);
        CAPTURE(name);
        CAPTURE(kEngineNames[number]);
        CHECK(alike(simulate(job, other, policy), before) == !unread_members(alone, engine).empty());
      }
  }
  Platform lost = two_nodes();
  lost.network.gap_ns = 5;
  lost.pe.latency_ns = 5;
  CHECK(unread_members(lost, NetworkEngine::fast) == "pe.latency_ns");
  CHECK(unread_members(lost, NetworkEngine::simgrid) == "pe.latency_ns, network.gap_ns");
}
