// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/all_pairs.hpp"

#include <doctest/doctest.h>

#include <map>
#include <vector>

using skein::load::AllPairs;
using skein::load::TrafficLog;

namespace {

struct Total {
  std::uint64_t partners = 0, messages = 0, bytes = 0;
};

Total total_of(const TrafficLog& log) {
  Total total;
  log.for_each([&](const TrafficLog::Entry& entry) {
    ++total.partners;
    total.messages += entry.messages;
    total.bytes += entry.bytes;
  });
  return total;
}

/// Logs one call in which `from` sends `bytes` to each other of `ranks`.
void exchange(TrafficLog& log, int from, int ranks, std::uint64_t bytes) {
  AllPairs all(from);
  for (int to = 0; to < ranks; ++to)
    if (to != from) all.add(to, bytes);
  all.log(log);
}

}  // namespace

TEST_CASE("AllPairs: few partners are logged as they are, those that get nothing not at all") {
  TrafficLog log(std::pmr::get_default_resource());
  AllPairs all(5);
  std::map<int, std::uint64_t> expected;
  for (int to = 0; to < 1000; ++to) {
    const std::uint64_t bytes = to % 40 == 3 ? static_cast<std::uint64_t>(to) * 100 : 0;
    all.add(to, bytes);
    if (bytes > 0) expected[to] = bytes;
  }
  all.log(log);
  std::map<int, std::uint64_t> found;
  log.for_each([&](const TrafficLog::Entry& entry) {
    CHECK(entry.messages == 1);
    found[entry.to] = entry.bytes;
  });
  CHECK(found == expected);
}

TEST_CASE("AllPairs: of many, some stand for all, the same in every call") {
  for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{1} << 40}) {
    TrafficLog log(std::pmr::get_default_resource());
    for (int call = 0; call < 10; ++call) exchange(log, 17, 10'000, bytes);
    const Total total = total_of(log);
    CHECK(total.partners == AllPairs::most_partners);
    CHECK(total.messages == 10 * 9'999);
    CHECK(total.bytes == 10 * 9'999 * bytes);
  }
}

// With 2048 ranks on 16 PEs, in consecutive order or dealt out, 15/16 of the bytes of an all-to-all exchange
// leave a PE (127 of 2047 partners are near). The graph of the chosen partners must say the same for either
// placement.
TEST_CASE("AllPairs: a placement cuts as much of the chosen as of all") {
  constexpr int ranks = 2048, pes = 16;
  double consecutive = 0, dealt = 0, all = 0;
  for (int from = 0; from < ranks; ++from) {
    TrafficLog log(std::pmr::get_default_resource());
    exchange(log, from, ranks, 1000);
    log.for_each([&](const TrafficLog::Entry& entry) {
      const auto bytes = static_cast<double>(entry.bytes);
      all += bytes;
      if (from / (ranks / pes) != entry.to / (ranks / pes)) consecutive += bytes;
      if (from % pes != entry.to % pes) dealt += bytes;
    });
  }
  const double expected = 1 - (ranks / pes - 1.0) / (ranks - 1.0);
  CHECK(consecutive / all == doctest::Approx(expected).epsilon(0.01));
  CHECK(dealt / all == doctest::Approx(expected).epsilon(0.01));
}
