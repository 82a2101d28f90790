// SPDX-License-Identifier: Apache-2.0
// The ranks' streams as the simulator reads them.
//
// Most ranks of a program do the same with partners that are as far from them as others' are. So what an
// event says beside its partner and its numbers is an *action*, kept once for all ranks; what is left of a
// rank's shapes (lb/trace/chunk.hpp) are *lines* of eight bytes, with partners of messages as distances.
// Lines that are the same as another rank's, and the same order of events, are kept once. With many ranks
// each is looked at long after it was last, when nothing of it is in a cache any more: what there is of it
// decides how fast a simulation is.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "lb/simulate/large_pages.hpp"
#include "lb/simulate/places.hpp"
#include "lb/trace/chunk.hpp"
#include "lb/trace/data.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

/// Keeps equal rows of bytes once: the one that came first.
class EqualBytes {
 public:
  using Bytes = std::span<const std::uint8_t>;

  /// The first that is equal. If there is none yet it is what keep(bytes) returns, which is equal to them and
  /// stays where it is; it keeps nothing else here meanwhile.
  template <class Keep>
  const std::uint8_t* first_of(Bytes bytes, Keep keep) {
    const std::uint64_t hash = hash_of(bytes);
    std::size_t at = place(bytes, hash);
    if (entries_[at].bytes) return entries_[at].bytes;
    if (2 * ++used_ > entries_.size()) {
      grow();
      at = place(bytes, hash);
    }
    entries_[at] = {hash, keep(bytes), bytes.size()};
    return entries_[at].bytes;
  }

 private:
  struct Entry {
    std::uint64_t hash;
    const std::uint8_t* bytes = nullptr;  // null: the entry is free
    std::size_t size;
  };

  static std::uint64_t hash_of(Bytes bytes) {
    std::uint64_t hash = bytes.size();
    const auto mix = [&](std::uint64_t word) { hash = ((hash ^ hash >> 29) + word) * 0x9e3779b97f4a7c15; };
    for (; bytes.size() >= sizeof(std::uint64_t); bytes = bytes.subspan(sizeof(std::uint64_t))) {
      std::uint64_t word;
      std::memcpy(&word, bytes.data(), sizeof word);
      mix(word);
    }
    for (const std::uint8_t byte : bytes) mix(byte);
    return hash ^ hash >> 32;
  }
  /// Where they are, or would be.
  std::size_t place(Bytes bytes, std::uint64_t hash) const {
    const std::size_t mask = entries_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      const Entry& entry = entries_[i];
      if (!entry.bytes || (entry.hash == hash && entry.size == bytes.size() &&
                           std::memcmp(entry.bytes, bytes.data(), bytes.size()) == 0))
        return i;
    }
  }
  void grow() {
    LargeVector<Entry> old(2 * entries_.size());
    std::swap(old, entries_);
    for (const Entry& entry : old)
      if (entry.bytes) entries_[place({entry.bytes, entry.size}, entry.hash)] = entry;
  }

  LargeVector<Entry> entries_ = LargeVector<Entry>(64);  // a power of two of them
  std::size_t used_ = 0;
};

/// As in trace::Event.
struct Action {
  trace::EventKind kind = trace::EventKind::end;
  std::uint8_t what = 0;
  std::uint8_t flags = 0;     // trace::ShapeFlag
  std::uint8_t counters = 0;  // how many numbers follow those that the flags tell of
  std::uint32_t communicator = 0;
  std::int32_t tag = 0;
  std::uint16_t place = kNoPlace;  // of communicator and tag
  bool latest = false;             // wait: for the latest requests, as many as the list is long
  bool relative = false;           // a partner is the distance from the object
  std::uint64_t bytes = 0;         // unless the event has its own
  std::span<const std::uint64_t> list = {};

  bool has(trace::ShapeFlag flag) const { return (flags & flag) != 0; }
  bool starts_request() const { return has(trace::kStartsRequest); }
};

/// An event, read. Lasts until the next one is.
struct Reading {
  const Action* action = nullptr;
  std::int32_t partner = trace::kAny;
  std::uint64_t bytes = 0;
  std::uint64_t burst_ns = 0, call_ns = 0;

  trace::EventKind kind() const { return action->kind; }
  /// Without counters and serial.
  trace::Event event() const;
  Reading anew() const { return {action, partner, bytes, burst_ns, call_ns}; }  // see Channel
};

class Streams {
 public:
  /// `places`: gets those of all messages that are read of.
  Streams(const trace::Trace& trace, TagPlaces& places) : trace_(trace), places_of_tags_(places) {}

  struct Line {
    std::uint32_t action;
    std::int32_t partner;

    std::int32_t partner_of(trace::ObjectIndex object, const Action& what) const {
      return what.relative ? static_cast<std::int32_t>(object + static_cast<std::uint32_t>(partner))
                           : partner;
    }
  };
  /// Where in its chunk an event is: what changes from event to event.
  struct Place {
    const std::uint8_t *order = nullptr, *numbers = nullptr;
  };
  /// Before an event of an object's stream.
  struct Position {
    Place place;
    const std::uint8_t* end = nullptr;  // of the chunk's order
    const Line* lines = nullptr;
    std::uint32_t line_count = 0;
    std::uint32_t chunk = 0;  // that comes after this one
  };

  /// Whether there is an event at the position, which may be set to another place that is the same.
  bool has_event(trace::ObjectIndex object, Position& at) {
    return at.place.order != at.end || next_chunk(object, at);
  }
  /// Streams of objects that follow this one will soon be asked for their first event.
  void prefetch_beginnings_after(trace::ObjectIndex object) const;
  /// The event of the object that is there, and the place after it.
  Reading read(trace::ObjectIndex object, const Position& in, Place& at) const {
    std::uint32_t index;
    at.order = trace::get_index(in.place.order, index);
    at.numbers = in.place.numbers;
    const Line line = in.lines[index];
    const Action& action = actions_[line.action];
    Reading event{&action, line.partner_of(object, action), action.bytes, 0, 0};
    if (action.has(trace::kHasBurst)) at.numbers = trace::get_varint(at.numbers, event.burst_ns);
    if (action.has(trace::kHasCall)) at.numbers = trace::get_varint(at.numbers, event.call_ns);
    if (action.has(trace::kHasBytes)) at.numbers = trace::get_varint(at.numbers, event.bytes);
    if (action.counters != 0 || action.has(trace::kHasSerial)) [[unlikely]]
      at.numbers = skip(action, at.numbers);
    return event;
  }
  /// Calls visit(partner) for the sends from the position on, up to the next wait: as far as is to be had
  /// without decoding anything.
  template <class Visit>
  void for_sends_ahead(trace::ObjectIndex object, const Position& at, Visit visit) const {
    constexpr std::ptrdiff_t farthest = 40;
    const std::ptrdiff_t events = std::min(at.end - at.place.order, farthest);
    for (std::ptrdiff_t i = 0; i < events; ++i) {
      const std::uint8_t index = at.place.order[i];
      if (index == trace::kWideIndex || index >= at.line_count) return;
      const Line line = at.lines[index];
      const Action& action = actions_[line.action];
      if (action.kind == trace::EventKind::send)
        visit(static_cast<trace::ObjectIndex>(line.partner_of(object, action)));
      if (action.kind == trace::EventKind::wait && i > 0) return;
    }
  }

 private:
  bool next_chunk(trace::ObjectIndex object, Position& at);
  const Line* lines_of(const trace::Chunk& chunk, trace::ObjectIndex object);
  const std::uint8_t* order_of(const trace::Chunk& chunk);
  std::uint32_t action_of(const trace::Chunk& chunk, const trace::Shape& shape);
  void grow();
  static const std::uint8_t* skip(const Action& action, const std::uint8_t* numbers);

  const trace::Trace& trace_;
  TagPlaces& places_of_tags_;
  std::vector<Action> actions_;
  std::vector<std::uint32_t> places_ = std::vector<std::uint32_t>(64, free);  // of actions_, by their hash
  static constexpr std::uint32_t free = ~std::uint32_t{0};
  /// Lines, behind each other, in pieces that stay where they are.
  std::vector<LargeVector<Line>> lines_;
  EqualBytes known_lines_, known_orders_;
  std::vector<Line> read_lines_;              // of the chunk that was begun last
  const trace::Chunk* last_chunk_ = nullptr;  // which that is
};

}  // namespace skein::simulate
