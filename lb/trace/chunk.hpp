// SPDX-License-Identifier: Apache-2.0
// A piece of an object's stream in memory.
//
// Events that differ only in their numbers have one shape. A chunk has its distinct shapes and, event by
// event, the shape's index (one byte, as a rule) and the numbers: some three to six bytes an event.
//
// order: for each event the shape's index: one byte below 255; or 255 and the index less 255 as a varint.
//  numbers: for each event the numbers that its shape has, of burst_ns, call_ns, bytes, serial, as varints,
//  and
//    each counter (zigzag).
// kSlack bytes follow each of the two; reading may touch them.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "skein/lb/trace.hpp"
#include "skein/lb/trace_varint.hpp"

namespace skein::trace {

enum ShapeFlag : std::uint8_t {
  kStartsRequest = 1,
  kHasBurst = 2,  // else the burst is zero
  kHasCall = 4,
  kHasBytes = 8,  // else the shape has them: most messages of a place in the program are equally long
  kHasSerial = 16,
};
inline constexpr std::uint8_t kAllShapeFlags = 31;

struct Shape {
  EventKind kind = EventKind::end;
  std::uint8_t what = 0;
  std::uint8_t flags = 0;
  std::uint8_t counters = 0;  // the number of counters of an event
  std::uint32_t communicator = 0;
  std::int32_t partner = kAny;
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;
  std::uint32_t list_begin = 0;  // in Chunk::lists
  std::uint32_t list_size = 0;

  bool has(ShapeFlag flag) const { return (flags & flag) != 0; }
  /// Returns how many of an event's numbers are times: the first ones.
  unsigned times() const { return unsigned{has(kHasBurst)} + has(kHasCall); }
  /// Returns how many numbers an event has.
  unsigned columns() const {
    return unsigned{has(kHasBurst)} + has(kHasCall) + has(kHasBytes) + has(kHasSerial) + counters;
  }
};

inline constexpr std::size_t kSlack = kMaxVarint;
inline constexpr std::uint8_t kWideIndex = 255;

struct Chunk {
  std::vector<Shape> shapes;
  std::vector<std::uint64_t> lists;
  std::vector<std::uint8_t> order, numbers;
  std::uint64_t events = 0;

  void shrink() {
    shapes.shrink_to_fit();
    lists.shrink_to_fit();
    order.shrink_to_fit();
    numbers.shrink_to_fit();
  }
  std::size_t memory_bytes() const {
    return shapes.capacity() * sizeof(Shape) + lists.capacity() * sizeof(std::uint64_t) + order.capacity() +
           numbers.capacity();
  }
};

/// A piece without a copy, in the memory where it was made.
struct ChunkView {
  ChunkView(const Chunk& chunk)
      : shapes(chunk.shapes),
        lists(chunk.lists),
        order(std::span(chunk.order).first(chunk.order.size() - kSlack)),
        numbers(chunk.numbers.data()),
        events(chunk.events) {}
  ChunkView(std::span<const Shape> of_shapes, std::span<const std::uint64_t> of_lists,
            std::span<const std::uint8_t> of_order, const std::uint8_t* of_numbers, std::uint64_t of_events)
      : shapes(of_shapes), lists(of_lists), order(of_order), numbers(of_numbers), events(of_events) {}
  std::span<const Shape> shapes;
  std::span<const std::uint64_t> lists;
  std::span<const std::uint8_t> order;
  const std::uint8_t* numbers;
  std::uint64_t events;
};

inline std::uint8_t* put_index(std::uint8_t* at, std::uint32_t index) {
  if (index < kWideIndex) [[likely]] {
    *at = static_cast<std::uint8_t>(index);
    return at + 1;
  }
  *at = kWideIndex;
  return put_varint(at + 1, index - kWideIndex);
}

inline const std::uint8_t* get_index(const std::uint8_t* at, std::uint32_t& index) {
  if (*at != kWideIndex) [[likely]] {
    index = *at;
    return at + 1;
  }
  std::uint64_t beyond;
  at = get_varint(at + 1, beyond);
  index = static_cast<std::uint32_t>(beyond) + kWideIndex;
  return at;
}

}  // namespace skein::trace
