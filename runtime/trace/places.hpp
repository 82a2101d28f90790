// SPDX-License-Identifier: Apache-2.0
// Where an object is in its program, as far as its events tell: a place is an event, and the two before it;
// or an event alone, where their order is that in which messages happen to come. Programs repeat themselves;
// so what followed a place the last time is looked at first, and a round that is like the one before costs a
// comparison for each event.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace skein::trace {

/// An event but for its times and its bytes: whatever numbers tell it from others. `head` is not 0.
struct EventKey {
  std::uint32_t head;
  std::uint64_t first, second;
};

inline constexpr std::uint16_t no_shape = UINT16_MAX;

struct alignas(64) Place {
  // The event.
  std::uint64_t first = 0, second = 0;
  std::uint64_t bytes = 0;  ///< the last time
  std::uint32_t head = 0;
  std::uint32_t usual_ns = 0;  ///< the last long burst; 0: it was short
  Place* next = nullptr;       ///< what followed the last time
  /// What the event with these bytes is to the encoder, without burst and call, with burst, with call, with
  /// both; or no_shape.
  std::uint16_t shapes[4] = {no_shape, no_shape, no_shape, no_shape};
  std::uint32_t hash = 0, hash_before = 0, hash_before_that = 0;  ///< of the three events
  std::int8_t skips = 0;                                          ///< so often the clock is not read here
  bool suspect : 1 = false;     ///< it was being skipped when a long burst came up elsewhere
  std::uint8_t lies : 7 = 0;    ///< how often the burst was long after it had been skipped
  std::uint16_t must_read = 0;  ///< so often the clock has to be read before it is skipped

  bool is(const EventKey& key) const {
    return ((first ^ key.first) | (second ^ key.second) | (head ^ key.head)) == 0;
  }
};
static_assert(sizeof(Place) == 64);

/// The places of an object. Their addresses last as long as it does; what was forgotten is any place.
class Places {
 public:
  static constexpr std::size_t most = 1024;

  explicit Places(bool in_context) : in_context_(in_context) { forget(); }
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

  /// The one that followed the last time: of any event, or of none.
  Place& expected() { return *last_->next; }
  /// The event has come. What comes next is fetched: others have had the caches until then.
  void reach(Place& place) {
    last_ = &place;
    __builtin_prefetch(place.next, 1);
  }
  Place& go_to(const EventKey& key) {
    Place& next = expected();
    if (!next.is(key)) [[unlikely]]
      return search(key);
    reach(next);
    return next;
  }
  void forget();

  template <class F>
  void for_each(F f) {
    for (std::size_t k = 0; k < count_; ++k) f(*at(k));
  }

 private:
  static constexpr std::size_t first_chunk = 8;  // each chunk has as many as all before it

  Place& search(const EventKey& key);
  Place** make_room(Place** slot, std::uint32_t hash, std::uint32_t before, std::uint32_t before_that);
  Place* at(std::size_t index) const;
  Place** slot_of(std::uint32_t hash, std::uint32_t before, std::uint32_t before_that);
  void grow();

  Place* last_ = nullptr;
  bool in_context_;
  std::unique_ptr<Place> nowhere_ = std::make_unique<Place>();  // before the first event
  std::size_t count_ = 0;
  std::size_t room_ = 0;
  std::vector<std::unique_ptr<Place[]>> chunks_;
  std::vector<Place*> table_;  // by the three hashes; a power of two long, at most half full
};

}  // namespace skein::trace
