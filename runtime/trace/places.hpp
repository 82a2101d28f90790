// SPDX-License-Identifier: Apache-2.0
// Tracks where an object is in its program, as far as its events tell: a place is an event and the two before
// it; or an event alone, if the order of events depends on the arrival of messages. Programs repeat
// themselves: the event that followed a place the last time is tried first, so that a repeated round costs a
// comparison for each event.
//
// The data for this comparison lie apart from the rest, in the order in which places first came up, so that a
// round touches few cache lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace skein::trace {

/// An event without its times and bytes: the numbers that distinguish it from others. `head` is not 0.
struct EventKey {
  std::uint32_t head;
  std::uint64_t first, second;
};

inline constexpr std::uint16_t kNoShape = UINT16_MAX;

struct alignas(16) Place {
  /// If not 0, stands for the event with its last bytes. For a call that may wait: Stream::call_last(). For
  /// others: Stream::token_of_last(), and only while the place is trusted.
  std::uint32_t token = 0;
  std::uint32_t usual_ns = 0;  ///< the last long burst; 0: it was short
  std::int16_t next = 0;       ///< distance in bytes to the place that followed the last time
  /// Shapes of the event, with its last bytes, in the encoder: without times, and with burst and call; or
  /// kNoShape.
  std::uint16_t plain = kNoShape, waited = kNoShape;
  bool trusted : 1 = false;     ///< its bursts are short: the clock is not read here
  bool suspect : 1 = false;     ///< it was trusted when a long burst was found elsewhere
  bool is_watched : 1 = false;  ///< the clock has to be read `must_read` times before it is trusted
};
static_assert(sizeof(Place) == 16);

/// The rest of a place.
struct PlaceEvent {
  std::uint64_t first = 0, second = 0;
  std::uint64_t bytes = 0;  ///< of the last time
  std::uint32_t head = 0;
  std::uint32_t hash = 0, hash_before = 0, hash_before_that = 0;  ///< of the three events
  std::uint16_t with_burst = kNoShape, with_call = kNoShape;      ///< like Place::plain, with one of the two
  std::uint32_t token = 0;                                        ///< Place::token, while that is trusted
  std::uint16_t must_read = 0;                                    ///< 0 unless Place::is_watched
  std::uint8_t lies = 0;  ///< how often a burst was long after skipped readings

  bool is(const EventKey& key) const {
    return ((first ^ key.first) | (second ^ key.second) | (head ^ key.head)) == 0;
  }
};

/// The places of an object. A forgotten place may be used for any event.
class Places {
 public:
  static constexpr std::size_t most = 1024;
  static_assert(most * sizeof(Place) <= INT16_MAX);  // Place::next

  explicit Places(bool in_context) : in_context_(in_context) { make_room(); }
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

  /// Returns the place that followed the last time: of any event, or of none. References from it and from
  /// go_to() are valid until the next go_to() or forget().
  Place& expected() { return *reinterpret_cast<Place*>(reinterpret_cast<std::byte*>(last_) + last_->next); }
  /// Returns the place of the last event.
  Place& last() { return *last_; }
  PlaceEvent& event_of(const Place& place) { return events_[number_of(place)]; }
  bool is(const Place& place, const EventKey& key) { return event_of(place).is(key); }
  std::size_t number_of(const Place& place) const { return static_cast<std::size_t>(&place - places_.get()); }
  /// Notes that the event of this place has come.
  void reach(Place& place) { last_ = &place; }
  Place& go_to(const EventKey& key) {
    Place& next = expected();
    if (!is(next, key)) [[unlikely]]
      return search(key);
    reach(next);
    return next;
  }
  void forget();

  template <class F>
  void for_each(F f) {
    for (std::size_t k = 1; k < count_; ++k) f(places_[k]);
  }

 private:
  Place& search(const EventKey& key);
  std::uint16_t* slot_of(std::uint32_t hash, std::uint32_t before, std::uint32_t before_that);
  void make_room();

  Place* last_ = nullptr;
  bool in_context_;
  /// Place 0 precedes the first event.
  std::unique_ptr<Place[]> places_;
  std::unique_ptr<PlaceEvent[]> events_;
  std::size_t count_ = 0, room_ = 0;
  std::vector<std::uint16_t> table_;  // by the three hashes; a power of two long, at most half full; 0: none
};

}  // namespace skein::trace
