// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/index_table.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

using skein::Index2;
using skein::chare::IndexTable;

TEST_CASE("index table: agrees with std::map under random insertions and removals") {
  std::mt19937 random(1);
  IndexTable<Index2> table;
  std::map<Index2, int> expected;
  for (int round = 0; round < 20'000; ++round) {
    const Index2 index(static_cast<int>(random() % 40), static_cast<int>(random() % 40));
    if (random() % 3 == 0) {
      table.erase(index);
      expected.erase(index);
    } else {
      table.insert(index).pe = round;
      expected[index] = round;
    }
    REQUIRE(table.size() == expected.size());
  }
  for (int x = 0; x < 40; ++x) {
    for (int y = 0; y < 40; ++y) {
      const auto* const place = table.find({x, y});
      const auto known = expected.find({x, y});
      REQUIRE((place != nullptr) == (known != expected.end()));
      if (place) CHECK(place->pe == known->second);
    }
  }
}

TEST_CASE("index table: of many at once those go that are unwanted, and all others are found") {
  IndexTable<Index2> table;
  for (int i = 0; i < 3000; ++i) table.insert({i, -i}).pe = i;
  table.erase_if([](const Index2& index, const auto& place) {
    CHECK(place.pe == index[0]);
    return index[0] % 3 != 0;
  });
  CHECK(table.size() == 1000);
  for (int i = 0; i < 3000; ++i) {
    const auto* const place = table.find({i, -i});
    REQUIRE((place != nullptr) == (i % 3 == 0));
    if (place) CHECK(place->pe == i);
  }
  table.erase_if([](const Index2&, const auto&) { return true; });
  CHECK(table.size() == 0);
  table.insert({1, 2}).pe = 7;
  CHECK(table.find({1, 2})->pe == 7);
}

TEST_CASE("index table: nothing is found in an empty one") {
  IndexTable<Index2> table;
  CHECK(table.find({1, 2}) == nullptr);
  table.erase({1, 2});
  CHECK(table.size() == 0);
}

TEST_CASE("index: text names the coordinates, hashes differ") {
  CHECK(skein::text_of(skein::Index3(1, -2, 3)) == "{1, -2, 3}");
  CHECK(skein::hash_of(Index2(1, 2)) != skein::hash_of(Index2(2, 1)));
}
