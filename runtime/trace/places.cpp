// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/places.hpp"

#include <algorithm>
#include <bit>

namespace skein::trace {
namespace {

constexpr std::size_t kFirstRoom = 8;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

std::uint32_t hash_of(const EventKey& key) {
  return static_cast<std::uint32_t>(mixed(mixed(key.head, key.first), key.second));
}

/// Returns the Place::next of `one` if `other` follows it.
std::int16_t between(const Place& one, const Place& other) {
  return static_cast<std::int16_t>((&other - &one) * static_cast<std::ptrdiff_t>(sizeof(Place)));
}

}  // namespace

void Places::forget() {
  std::fill(table_.begin(), table_.end(), std::uint16_t{0});
  count_ = 1;
  places_[0] = {};
  last_ = &places_[0];
}

std::uint16_t* Places::slot_of(std::uint32_t hash, std::uint32_t before, std::uint32_t before_that) {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = mixed(mixed(hash, before), before_that) & mask;
  while (table_[slot]) {
    const PlaceEvent& event = events_[table_[slot]];
    if (event.hash == hash && event.hash_before == before && event.hash_before_that == before_that) break;
    slot = (slot + 1) & mask;
  }
  return &table_[slot];
}

void Places::make_room() {
  if (room_ == most + 1) return forget();
  const std::size_t room = std::min(std::max(kFirstRoom, 2 * room_), most + 1);
  auto places = std::make_unique<Place[]>(room);
  auto events = std::make_unique<PlaceEvent[]>(room);
  std::copy_n(places_.get(), count_, places.get());
  std::copy_n(events_.get(), count_, events.get());
  const std::size_t last = last_ ? number_of(*last_) : 0;
  places_ = std::move(places);
  events_ = std::move(events);
  room_ = room;
  count_ = std::max<std::size_t>(count_, 1);
  reach(places_[last]);
  table_.assign(2 * std::bit_ceil(room_), 0);
  for (std::size_t k = 1; k < count_; ++k)
    *slot_of(events_[k].hash, events_[k].hash_before, events_[k].hash_before_that) =
        static_cast<std::uint16_t>(k);
}

Place& Places::search(const EventKey& key) {
  const PlaceEvent& last = event_of(*last_);
  const std::uint32_t hash = hash_of(key);
  const std::uint32_t before = in_context_ ? last.hash : 0, before_that = in_context_ ? last.hash_before : 0;
  std::uint16_t* slot = slot_of(hash, before, before_that);
  const bool is_new = *slot == 0;
  if (is_new) {
    if (count_ == room_) {
      make_room();
      slot = slot_of(hash, before, before_that);
    }
    *slot = static_cast<std::uint16_t>(count_++);
  }
  Place& place = places_[*slot];
  // The place may belong to another event of equal hash: it is this event's from now on.
  if (is_new || !is(place, key)) {
    place = {};
    place.next = between(place, places_[0]);
    events_[*slot] = {.first = key.first,
                      .second = key.second,
                      .head = key.head,
                      .hash = hash,
                      .hash_before = before,
                      .hash_before_that = before_that};
  }
  last_->next = between(*last_, place);
  reach(place);
  return place;
}

}  // namespace skein::trace
