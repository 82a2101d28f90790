// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/recent_pes.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

using skein::chare::RecentPes;

namespace {

/// Asks and changes at random, and checks that each answer is true.
template <class I, class Random>
void agree(Random any_index) {
  RecentPes<I> recent;
  std::map<I, int> pes;
  std::uint64_t version = 1;
  std::mt19937 random(1);
  int asked = 0, questions = 0;
  for (int round = 0; round < 100'000; ++round) {
    const I index = any_index(random);
    if (random() % 100 == 0) {
      pes[index] = round;
      ++version;
    }
    ++questions;
    REQUIRE(recent.of(index, version, [&](const I& which) {
      REQUIRE(which == index);
      ++asked;
      return pes[which];
    }) == pes[index]);
  }
  CHECK(asked < questions);  // some answers were known
}

/// An index type of the program's own: its hash is that of its bytes.
struct Name {
  std::uint64_t letters = 0;
  auto operator<=>(const Name&) const = default;
};

}  // namespace

TEST_CASE("recent PEs: what is remembered is what would be looked up") {
  // Negative indices, and more indices than there is room for.
  agree<skein::Index2>([](std::mt19937& random) {
    return skein::Index2(static_cast<int>(random() % 20) - 10, static_cast<int>(random() % 40));
  });
  agree<Name>([](std::mt19937& random) { return Name{random() % 300}; });
}

TEST_CASE("recent PEs: an element that is asked for again is not looked up again") {
  RecentPes<skein::Index1> recent;
  int asked = 0;
  const auto look_up = [&](const skein::Index1&) { return ++asked; };
  for (int i = 0; i < 10; ++i) CHECK(recent.of({7}, 1, look_up) == 1);
  CHECK(recent.of({7}, 2, look_up) == 2);
  CHECK(recent.of({7}, 2, look_up) == 2);
}
