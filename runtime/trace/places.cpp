// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/places.hpp"

#include <algorithm>
#include <bit>

namespace skein::trace {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

std::uint32_t hash_of(const EventKey& key) {
  return static_cast<std::uint32_t>(mixed(mixed(key.head, key.first), key.second));
}

}  // namespace

void Places::forget() {
  std::fill(table_.begin(), table_.end(), nullptr);
  count_ = 0;
  last_ = nowhere_->next = nowhere_.get();
}

Place* Places::at(std::size_t index) const {
  if (index < first_chunk) return &chunks_[0][index];
  const std::size_t chunk = static_cast<std::size_t>(std::bit_width(index / first_chunk));
  return &chunks_[chunk][index - (first_chunk << (chunk - 1))];
}

Place** Places::slot_of(std::uint32_t hash, std::uint32_t before, std::uint32_t before_that) {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = mixed(mixed(hash, before), before_that) & mask;
  while (const Place* const place = table_[slot]) {
    if (place->hash == hash && place->hash_before == before && place->hash_before_that == before_that) break;
    slot = (slot + 1) & mask;
  }
  return &table_[slot];
}

void Places::grow() {
  const std::size_t more = std::max(first_chunk, room_);
  chunks_.push_back(std::make_unique<Place[]>(more));
  room_ += more;
  table_.assign(2 * room_, nullptr);
  for_each([&](Place& place) { *slot_of(place.hash, place.hash_before, place.hash_before_that) = &place; });
}

Place& Places::search(const EventKey& key) {
  const std::uint32_t hash = hash_of(key);
  const std::uint32_t before = in_context_ ? last_->hash : 0,
                      before_that = in_context_ ? last_->hash_before : 0;
  if (table_.empty()) grow();
  Place** slot = slot_of(hash, before, before_that);
  // Of another event by chance: then this one is its place from now on.
  if (!*slot || !(*slot)->is(key)) {
    slot = make_room(slot, hash, before, before_that);
    **slot = {.first = key.first, .second = key.second, .head = key.head, .next = nowhere_.get()};
    (*slot)->hash = hash;
    (*slot)->hash_before = before;
    (*slot)->hash_before_that = before_that;
  }
  last_->next = *slot;
  reach(**slot);
  return *last_;
}

Place** Places::make_room(Place** slot, std::uint32_t hash, std::uint32_t before, std::uint32_t before_that) {
  if (*slot) return slot;
  if (count_ == most) {
    forget();
    slot = slot_of(hash, before, before_that);
  } else if (count_ == room_) {
    grow();
    slot = slot_of(hash, before, before_that);
  }
  *slot = at(count_++);
  return slot;
}

}  // namespace skein::trace
