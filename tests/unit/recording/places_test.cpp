// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/places.hpp"

#include <doctest/doctest.h>

#include <set>
#include <vector>

using namespace skein::trace;

namespace {

EventKey event(std::uint32_t number) { return {1, number, 7}; }

/// How many of the events were not what was expected.
int surprises(Places& places, const std::vector<std::uint32_t>& events) {
  int count = 0;
  for (const std::uint32_t number : events) {
    count += !places.expected().is(event(number));
    CHECK(places.go_to(event(number)).is(event(number)));
  }
  return count;
}

}  // namespace

TEST_CASE("places: a round that is like the one before is expected") {
  Places places(true);
  const std::vector<std::uint32_t> round{1, 2, 3, 2, 3, 3, 3, 4};
  surprises(places, round);
  surprises(places, round);  // its first events have followed its last ones for the first time
  for (int k = 0; k < 5; ++k) CHECK(surprises(places, round) == 0);
}

TEST_CASE("places: an event has a place for each pair that came before it, and no more") {
  Places places(true);
  std::set<const Place*> seen;
  for (int k = 0; k < 1000; ++k) seen.insert(&places.go_to(event(5)));
  CHECK(seen.size() == 3);  // after nothing, after one, and after two of the kind
  const Place& first = places.go_to(event(1));
  const Place& after_1 = places.go_to(event(5));
  places.go_to(event(2));
  CHECK(&places.go_to(event(5)) != &after_1);
  places.go_to(event(5));
  CHECK(&places.go_to(event(1)) == &first);
  CHECK(&places.go_to(event(5)) != &first);
}

TEST_CASE("places: without context, an event has one place, wherever it comes") {
  Places places(false);
  std::vector<const Place*> place_of(4);
  for (const std::uint32_t number : {1u, 2u, 3u}) place_of[number] = &places.go_to(event(number));
  for (const std::uint32_t number : {2u, 1u, 1u, 3u, 2u})
    CHECK(&places.go_to(event(number)) == place_of[number]);
  CHECK(surprises(places, {3, 1, 2}) == 3);
  CHECK(surprises(places, {3, 1, 2}) == 0);
}

TEST_CASE("places: a key is all of its numbers") {
  Places places(true);
  places.go_to({1, 2, 3});
  places.go_to({1, 2, 3});
  places.go_to({1, 2, 3});
  for (const EventKey other : {EventKey{2, 2, 3}, EventKey{1, 3, 3}, EventKey{1, 2, 4}})
    CHECK(!places.expected().is(other));
}

TEST_CASE("places: beyond the most, all are learned anew") {
  Places places(true);
  std::set<const Place*> seen;
  for (std::uint32_t k = 0; k < 5 * Places::most; ++k) {
    Place& place = places.go_to(event(k));
    CHECK(place.shapes[0] == no_shape);
    CHECK(place.skips == 0);
    place.shapes[0] = 1;
    place.skips = 1;
    seen.insert(&place);
  }
  CHECK(seen.size() == Places::most);
  std::size_t known = 0;
  places.for_each([&](const Place&) { ++known; });
  CHECK(known == Places::most);
  places.forget();
  CHECK(!places.expected().is(event(5 * Places::most - 1)));
  CHECK(surprises(places, {1, 2, 3}) == 3);
}
