// SPDX-License-Identifier: Apache-2.0
// Compares the log of a rank's messages to each partner with std::map.
#include <doctest/doctest.h>

#include <map>
#include <random>
#include <utility>

#include "runtime/load/traffic_log.hpp"

using skein::load::TrafficLog;

namespace {

using Totals = std::map<int, std::pair<std::uint64_t, std::uint64_t>>;  // partner: messages, bytes

Totals totals_of(const TrafficLog& log) {
  Totals totals;
  log.for_each([&](const TrafficLog::Entry& entry) {
    CHECK(totals.emplace(entry.to, std::pair{entry.messages, entry.bytes}).second);  // each partner once
  });
  return totals;
}

}  // namespace

TEST_CASE("TrafficLog: messages and bytes add up by partner, however many there are") {
  std::mt19937 random(1);
  for (const int partners : {1, 2, 8, 1000}) {
    CAPTURE(partners);
    TrafficLog log(std::pmr::get_default_resource());
    for (int round = 0; round < 2; ++round) {  // again after clear()
      Totals expected;
      for (int message = 0; message < 5000; ++message) {
        const int to = static_cast<int>(random() % static_cast<unsigned>(partners)) * 64;
        const std::uint64_t bytes = random() % 3 ? random() % 4096 : std::uint64_t{1} << 33;
        log.note(to, bytes);
        ++expected[to].first;
        expected[to].second += bytes;
      }
      CHECK(totals_of(log) == expected);
      log.clear();
      CHECK(totals_of(log).empty());
    }
  }
}
