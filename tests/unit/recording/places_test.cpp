// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/places.hpp"

#include <doctest/doctest.h>

#include <set>
#include <vector>

using namespace skein::trace;

namespace {

EventKey event(std::uint32_t number) { return {1, number, 7}; }

/// Returns how many of the events were not what was expected.
int surprises(Places& places, const std::vector<std::uint32_t>& events) {
  int count = 0;
  for (const std::uint32_t number : events) {
    count += !places.is(places.expected(), event(number));
    CHECK(places.is(places.go_to(event(number)), event(number)));
  }
  return count;
}

}  // namespace

TEST_CASE("places: a round that is like the one before is expected") {
  Places places(true);
  const std::vector<std::uint32_t> round{1, 2, 3, 2, 3, 3, 3, 4};
  surprises(places, round);
  surprises(places, round);  // the first events of a round have followed its last ones for the first time
  for (int k = 0; k < 5; ++k) CHECK(surprises(places, round) == 0);
}

TEST_CASE("places: an event has a place for each pair that came before it, and no more") {
  Places places(true);
  const auto go_to = [&](std::uint32_t number) { return places.number_of(places.go_to(event(number))); };
  std::set<std::size_t> seen;
  for (int k = 0; k < 1000; ++k) seen.insert(go_to(5));
  CHECK(seen.size() == 3);  // after no event, after one, and after two of the kind
  const std::size_t first = go_to(1), after_1 = go_to(5);
  go_to(2);
  CHECK(go_to(5) != after_1);
  go_to(5);
  CHECK(go_to(1) == first);
  CHECK(go_to(5) != first);
}

TEST_CASE("places: without context, an event has one place, wherever it comes") {
  Places places(false);
  const auto go_to = [&](std::uint32_t number) { return places.number_of(places.go_to(event(number))); };
  std::vector<std::size_t> place_of(4);
  for (const std::uint32_t number : {1u, 2u, 3u}) place_of[number] = go_to(number);
  for (const std::uint32_t number : {2u, 1u, 1u, 3u, 2u}) CHECK(go_to(number) == place_of[number]);
  CHECK(surprises(places, {3, 1, 2}) == 3);
  CHECK(surprises(places, {3, 1, 2}) == 0);
}

TEST_CASE("places: what is known of one stays when there are more, up to the most") {
  Places places(false);
  for (std::uint32_t k = 0; k < Places::most; ++k) {
    places.go_to(event(k)).token = k + 1;
    CHECK(places.last().token == k + 1);
    CHECK(places.number_of(places.expected()) == 0);
  }
  for (std::uint32_t k = Places::most; k-- > 0;) CHECK(places.go_to(event(k)).token == k + 1);
}

TEST_CASE("places: a key is all of its numbers") {
  Places places(true);
  places.go_to({1, 2, 3});
  places.go_to({1, 2, 3});
  places.go_to({1, 2, 3});
  for (const EventKey other : {EventKey{2, 2, 3}, EventKey{1, 3, 3}, EventKey{1, 2, 4}})
    CHECK(!places.is(places.expected(), other));
}

TEST_CASE("places: beyond the most, all are learned anew") {
  Places places(true);
  std::set<std::size_t> seen;
  for (std::uint32_t k = 0; k < 5 * Places::most; ++k) {
    Place& place = places.go_to(event(k));
    CHECK(place.plain == kNoShape);
    CHECK(!place.trusted);
    place.plain = 1;
    place.trusted = true;
    seen.insert(places.number_of(place));
  }
  CHECK(seen.size() == Places::most);
  std::size_t known = 0;
  places.for_each([&](const Place&) { ++known; });
  CHECK(known == Places::most);
  places.forget();
  CHECK(!places.is(places.expected(), event(5 * Places::most - 1)));
  CHECK(surprises(places, {1, 2, 3}) == 3);
}
