// SPDX-License-Identifier: Apache-2.0
// A piece of an object's stream in memory.
//
// Events that differ in nothing but their numbers have one shape. A chunk is its distinct shapes and, event
// by event, which shape it has (one byte, as a rule) and its numbers: some four to six bytes an event.
//
// ops: for each event
//   the shape's index: one byte below 255; or 255 and the index less 255 as a varint;
//   then as varints those of these that the shape has: burst_ns, call_ns, bytes, serial, and each counter
//   (zigzag).
// kOpsSlack bytes follow, which reading may touch.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "lb/trace/varint.hpp"
#include "skein/lb/trace.hpp"

namespace skein::trace {

enum ShapeFlag : std::uint8_t {
  kStartsRequest = 1,
  kHasBurst = 2,  // else it is zero
  kHasCall = 4,
  kHasBytes = 8,  // else they are the shape's: most messages of a place in the program are equally long
  kHasSerial = 16,
};
inline constexpr std::uint8_t kAllShapeFlags = 31;

struct Shape {
  EventKind kind = EventKind::end;
  std::uint8_t what = 0;
  std::uint8_t flags = 0;
  std::uint8_t counters = 0;  // how many an event has
  std::uint32_t communicator = 0;
  std::int32_t partner = any;
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;
  std::uint32_t list_begin = 0;  // in Chunk::lists
  std::uint32_t list_size = 0;

  bool has(ShapeFlag flag) const { return (flags & flag) != 0; }
  // How many numbers an event has.
  unsigned columns() const {
    return static_cast<unsigned>(std::popcount(static_cast<unsigned>(flags & ~kStartsRequest))) + counters;
  }
};

inline constexpr std::size_t kOpsSlack = kMaxVarint;
inline constexpr std::uint8_t kWideIndex = 255;

struct Chunk {
  std::vector<Shape> shapes;
  std::vector<std::uint64_t> lists;
  std::vector<std::uint8_t> ops;
  std::uint64_t events = 0;

  std::size_t memory_bytes() const {
    return shapes.capacity() * sizeof(Shape) + lists.capacity() * sizeof(std::uint64_t) + ops.capacity();
  }
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
