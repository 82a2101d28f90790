// SPDX-License-Identifier: Apache-2.0
// Times beyond the limits of a simulation are errors. (Bursts: tests/unit/tools/simulate_command_test.cpp.)
#include "lb/simulate/horizon.hpp"

#include <doctest/doctest.h>

#include "tests/unit/simulate/make_trace.hpp"

using namespace skein::simulate;

namespace {

// Plays one message of `bytes` bytes to the other PE.
std::string one_message(const Platform& platform, std::uint64_t bytes) {
  Program program(2);
  program.on(0).send(1, bytes).end();
  program.on(1).receive(0, bytes).end();
  try {
    return std::to_string(simulate(program.finish(), platform, in_blocks()).makespan);
  } catch (const SimulationError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("horizon: a message that takes longer than any does is an error that names the members") {
  Platform platform = apart(2);
  platform.network.byte_ns = 1e6;
  CHECK(one_message(platform, std::uint64_t{1} << 20) != "");
  CHECK(one_message(platform, std::uint64_t{1} << 62)
            .starts_with("a message on its way (gap_ns, byte_ns) takes 1.461e+08 years: look at the numbers "
                         "of the platform"));
  platform = apart(2);
  platform.network.receive_byte_ns = 1e6;
  CHECK(one_message(platform, std::uint64_t{1} << 62).starts_with("receiving a message (receive_ns"));
}

TEST_CASE("horizon: many long times in a row end where a time would leave its type") {
  constexpr std::uint64_t years = std::uint64_t{kLongestBurstNs} - (std::uint64_t{1} << 40);
  const auto bursts = [](int count) {
    Program program(1);
    program.on(0);
    for (int i = 0; i < count; ++i) program.sync(0, years);
    program.end();
    return program.finish();
  };
  CHECK(simulate(bursts(7), apart(1), in_blocks()).makespan == static_cast<Ns>(7 * years));
  CHECK_THROWS_WITH_AS(
      simulate(bursts(9), apart(1), in_blocks()),
      doctest::Contains("the simulated time comes to 36.53 years: look at the times and speeds of "
                        "platform"),
      SimulationError);
}

TEST_CASE("horizon: times in words") {
  CHECK(long_time(86400e9) == "1 days");
  CHECK(long_time(365.25 * 86400e9 * 2) == "2 years");
}
