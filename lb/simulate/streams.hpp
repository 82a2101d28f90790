// SPDX-License-Identifier: Apache-2.0
// The ranks' streams as the simulator reads them.
//
// Most ranks of a program do the same with partners at the same distance. So the properties of an event
// beside its partner and its numbers form an *action*, which all ranks share; the rest of a rank's shapes
// (lb/trace/chunk.hpp) are *lines* of eight bytes, with partners of messages as distances. Equal lines of
// several ranks, and equal orders of events, are stored once. With many ranks, each rank's data has left all
// caches before it runs again: its amount determines the speed of a simulation.
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

/// Stores equal rows of bytes once: the first of them.
class EqualBytes {
 public:
  using Bytes = std::span<const std::uint8_t>;

  /// Returns the first row that is equal. If there is none, it becomes the result of keep(bytes), which must
  /// be equal and stay where it is; keep() must not call this object.
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
  /// Returns the place of the bytes, or where they would be.
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

  LargeVector<Entry> entries_ = LargeVector<Entry>(64);  // their number is a power of two
  std::size_t used_ = 0;
};

/// The properties of an event that ranks share, as in trace::Event.
struct Action {
  trace::EventKind kind = trace::EventKind::end;
  std::uint8_t what = 0;
  std::uint8_t flags = 0;     // trace::ShapeFlag
  std::uint8_t counters = 0;  // the count of numbers behind those of the flags
  std::uint32_t communicator = 0;
  std::int32_t tag = 0;
  std::uint16_t place = kNoPlace;  // of communicator and tag
  bool latest = false;             // wait: for the latest requests, as many as the list has
  bool relative = false;           // a partner is given as its distance from the object
  std::uint64_t bytes = 0;         // unless the event has its own
  std::span<const std::uint64_t> list = {};

  bool has(trace::ShapeFlag flag) const { return (flags & flag) != 0; }
  bool starts_request() const { return has(trace::kStartsRequest); }
};

/// An event that was read. Valid until the next one is read.
struct Reading {
  const Action* action = nullptr;
  std::int32_t partner = trace::kAny;
  std::uint64_t bytes = 0;
  std::uint64_t burst_ns = 0, call_ns = 0;

  trace::EventKind kind() const { return action->kind; }
  /// Returns the event without counters and serial.
  trace::Event event() const;
  Reading anew() const { return {action, partner, bytes, burst_ns, call_ns}; }  // see MessageKey
};

class Streams {
 public:
  /// `places`: gets the places of all messages that are read.
  Streams(const trace::Trace& trace, TagPlaces& places) : trace_(trace), places_of_tags_(places) {}

  struct Line {
    std::uint32_t action;
    std::int32_t partner;

    std::int32_t partner_of(trace::ObjectIndex object, const Action& what) const {
      return what.relative ? static_cast<std::int32_t>(object + static_cast<std::uint32_t>(partner))
                           : partner;
    }
  };
  /// An event's place in its chunk: the part of a position that changes from event to event.
  struct Place {
    const std::uint8_t *order = nullptr, *numbers = nullptr;
  };
  /// The position before an event of an object's stream.
  struct Position {
    Place place;
    const std::uint8_t* end = nullptr;  // of the chunk's order
    const Line* lines = nullptr;
    std::uint32_t line_count = 0;
    std::uint32_t chunk = 0;  // the chunk after this one
  };

  /// Returns true if there is an event at the position, which may be changed to an equivalent one.
  bool has_event(trace::ObjectIndex object, Position& at) {
    return at.place.order != at.end || next_chunk(object, at);
  }
  /// Prefetches the beginnings of the streams of later objects.
  void prefetch_beginnings_after(trace::ObjectIndex object) const;
  /// Reads the object's event at a position, and sets `at` to the place behind it.
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
  /// Calls visit(partner) for sends from the position to the next wait, as far as known without decoding.
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
  std::vector<std::uint32_t> places_ =
      std::vector<std::uint32_t>(64, free);  // indices of actions_, by their hash
  static constexpr std::uint32_t free = ~std::uint32_t{0};
  /// Lines in blocks that stay where they are.
  std::vector<LargeVector<Line>> lines_;
  EqualBytes known_lines_, known_orders_;
  std::vector<Line> read_lines_;              // of the chunk that began last
  const trace::Chunk* last_chunk_ = nullptr;  // the chunk of read_lines_
};

}  // namespace skein::simulate
