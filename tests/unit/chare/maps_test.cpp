// SPDX-License-Identifier: Apache-2.0
#include "skein/maps.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "skein/chare/array_making.hpp"

using skein::BlockMap;
using skein::Index1;
using skein::Index3;

TEST_CASE("maps: the block of a PE has the places whose home it is") {
  for (int size = 0; size < 40; ++size)
    for (int pes = 1; pes < 12; ++pes)
      for (int pe = 0; pe < pes + 2; ++pe) {  // the last two PEs only decide, and have no elements
        const auto [first, last] = BlockMap::block(size, pe, pes);
        for (int place = 0; place < size; ++place)
          REQUIRE((place >= first && place < last) == (BlockMap{}(Index1(place), Index1(size), pes) == pe));
      }
}

TEST_CASE("maps: blocks of as many places as an array can have") {
  constexpr std::int64_t size = std::int64_t{1} << 32;
  constexpr int pes = 1'000'003;
  for (const int pe : {0, 1, 499'999, pes - 1}) {
    const auto [first, last] = BlockMap::block(size, pe, pes);
    CHECK(first * pes / size == pe);
    CHECK((last - 1) * pes / size == pe);
    CHECK(last * pes / size == pe + 1);
    if (pe > 0) CHECK((first - 1) * pes / size == pe - 1);
  }
}

TEST_CASE("maps: indices from place to place are those that all indices are in their order") {
  const Index3 bounds(3, 4, 5);
  std::vector<Index3> all;
  skein::for_each_index(bounds, [&](const Index3& index) { all.push_back(index); });
  for (std::size_t first = 0; first <= all.size(); ++first)
    for (std::size_t last = first; last <= all.size(); ++last) {
      std::vector<Index3> some;
      skein::chare::for_each_index_at(bounds, static_cast<std::int64_t>(first),
                                      static_cast<std::int64_t>(last),
                                      [&](const Index3& index) { some.push_back(index); });
      REQUIRE(some ==
              std::vector(all.begin() + static_cast<long>(first), all.begin() + static_cast<long>(last)));
    }
}

TEST_CASE("maps: an array without indices has none from place to place") {
  skein::chare::for_each_index_at(Index3(4, 0, 5), 0, 0, [](const Index3&) { FAIL("an index"); });
}
