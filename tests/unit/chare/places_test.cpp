// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/places.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <utility>

#include "skein/chare/element.hpp"

using skein::Index3;
using skein::chare::Place;
using skein::chare::Places;

namespace {

/// Compares random insertions and removals within the bounds with std::map. Every second place is that of an
/// element on this PE.
void agree(Places<Index3> places, const Index3& bounds) {
  std::mt19937 random(1);
  const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  std::map<Index3, Place> expected;
  skein::chare::Element here;
  here.moves = 3;
  here.insertion = 5;
  for (int round = 1; round < 20'000; ++round) {
    const Index3 index(below(bounds[0]), below(bounds[1]), below(bounds[2]));
    if (round % 3 == 0) {
      places.erase(index);
      expected.erase(index);
    } else {
      const Place place = round % 2 ? Place{nullptr, round, 2, 4} : Place{&here, skein::this_pe(), 3, 5};
      places.set(index, place);
      expected[index] = place;
    }
  }
  for (int x = 0; x < bounds[0]; ++x)
    for (int y = 0; y < bounds[1]; ++y)
      for (int z = 0; z < bounds[2]; ++z) {
        const std::optional<Place> place = places.find({x, y, z});
        const auto known = expected.find({x, y, z});
        REQUIRE(place.has_value() == (known != expected.end()));
        REQUIRE(places.element_at({x, y, z}) == (place ? known->second.element : nullptr));
        if (!place) continue;
        REQUIRE(place->element == known->second.element);
        REQUIRE(place->pe == known->second.pe);
        REQUIRE(place->moves == known->second.moves);
        REQUIRE(place->insertion == known->second.insertion);
      }
}

}  // namespace

TEST_CASE("places: agree with std::map, dense and not") {
  const Index3 bounds(11, 17, 23);
  agree(Places<Index3>(bounds), bounds);
  agree(Places<Index3>(), bounds);
}

TEST_CASE("places: nothing is known outside the bounds of a dense array") {
  Places<Index3> places(Index3(4, 5, 6));
  places.set({3, 4, 5}, {nullptr, 1});
  CHECK(places.find({3, 4, 5}).has_value());
  // The last index has the same position as {3, 4, 5} if coordinates are not checked one by one.
  for (const Index3& outside :
       {Index3(4, 0, 0), Index3(0, 5, 0), Index3(0, 0, 6), Index3(-1, 0, 0), Index3(3, 3, 11)}) {
    CHECK_FALSE(places.find(outside).has_value());
    places.erase(outside);
  }
  CHECK(places.find({3, 4, 5}).has_value());
}

TEST_CASE("places: what is inserted outside the bounds of a dense array is found there") {
  Places<Index3> places(Index3(4, 5, 6));
  places.set({3, 4, 5}, {nullptr, 1});
  places.set({-1, 4, 5}, {nullptr, 2});
  REQUIRE(places.find({-1, 4, 5}).has_value());
  CHECK(places.find({-1, 4, 5})->pe == 2);
  CHECK(places.find({3, 4, 5})->pe == 1);
  places.erase({-1, 4, 5});
  CHECK_FALSE(places.find({-1, 4, 5}).has_value());
}

TEST_CASE("places: a dense array without indices has none") {
  for (const Index3& none : {Index3(0, 5, 6), Index3(4, 0, 6), Index3(-1, 5, 6)}) {
    Places<Index3> places(none);
    CHECK_FALSE(places.find({0, 0, 0}).has_value());
    CHECK_FALSE(places.find({3, 3, 3}).has_value());
  }
}

TEST_CASE("places: whatever may change what is found changes the version") {
  Places<Index3> places(Index3(4, 5, 6));
  std::uint64_t before = places.version();
  CHECK(before != 0);
  const auto changed = [&] { return std::exchange(before, places.version()) != before; };
  places.set({0, 0, 0}, {nullptr, 1});
  CHECK(changed());
  places.find({0, 0, 0});
  CHECK_FALSE(changed());
  places.set({0, 0, 0}, {nullptr, 2});
  CHECK(changed());
  places.erase({0, 0, 0});
  CHECK(changed());
  places.set({-1, 0, 0}, {nullptr, 1});
  CHECK(changed());
  places.erase_hashed_if([](const Index3&, const skein::chare::Place&) { return true; });
  CHECK(changed());
}
