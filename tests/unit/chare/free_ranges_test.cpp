// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/memory/free_ranges.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

using skein::chare::FreeRanges;

TEST_CASE("free ranges: what is taken comes from the smallest range that has it") {
  FreeRanges free;
  free.give(0, 64);
  free.give(1000, 16);
  CHECK(free.take(16, 1) == 1000);
  CHECK(free.take(16, 1) == 0);
  CHECK(free.take(64, 1) == std::nullopt);
  CHECK(free.take(48, 1) == 16);
  CHECK(free.count() == 0);
}

TEST_CASE("free ranges: alignment leaves what is before and behind") {
  FreeRanges free;
  free.give(100, 1000);
  CHECK(free.take(256, 256) == 256);
  CHECK(free.count() == 2);
  CHECK(free.take(156, 1) == 100);
  CHECK(free.take(588, 1) == 512);
  CHECK(free.count() == 0);
}

TEST_CASE("free ranges: neighbours are joined, on either side and on both") {
  FreeRanges free;
  free.give(0, 10);
  free.give(20, 10);
  free.give(10, 10);
  CHECK(free.count() == 1);
  free.give(40, 10);
  free.give(30, 10);
  CHECK(free.count() == 1);
  CHECK(free.take(50, 1) == 0);
}

// Compares with an array that records the owner of each unit.
TEST_CASE("free ranges: nothing is given out twice, and all comes back") {
  constexpr std::uint64_t units = 2000;
  std::vector<int> owner(units, -1);
  struct Taken {
    std::uint64_t begin, size;
  };
  std::vector<Taken> taken;
  FreeRanges free;
  free.give(0, units);
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    const std::uint64_t size = 1 + random() % 60, alignment = std::uint64_t{1} << random() % 5;
    if (random() % 2 == 0) {
      const auto begin = free.take(size, alignment);
      if (!begin) continue;
      REQUIRE(*begin % alignment == 0);
      REQUIRE(*begin + size <= units);
      for (std::uint64_t i = *begin; i < *begin + size; ++i) {
        REQUIRE(owner[i] == -1);
        owner[i] = round;
      }
      taken.push_back({*begin, size});
    } else if (!taken.empty()) {
      std::swap(taken[random() % taken.size()], taken.back());
      std::fill_n(owner.begin() + static_cast<std::ptrdiff_t>(taken.back().begin), taken.back().size, -1);
      free.give(taken.back().begin, taken.back().size);
      taken.pop_back();
    }
  }
  for (const Taken& each : taken) free.give(each.begin, each.size);
  CHECK(free.count() == 1);
  CHECK(free.take(units, 1) == 0);
}
