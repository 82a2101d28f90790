// SPDX-License-Identifier: Apache-2.0
// The state of an Encoder: builds a chunk event by event.
#pragma once
#include <cstdint>
#include <vector>

#include "lb/trace/bytes.hpp"
#include "lb/trace/chunk.hpp"
#include "skein/lb/trace_writer.hpp"

namespace skein::trace {

struct Encoder::State {
  State();
  std::size_t add(const Event& event);
  std::uint8_t* room_for_order() { return order_.room(Batch::most); }
  std::uint8_t* room_for_numbers() { return numbers_.room(2 * Batch::most * 5 + kMaxVarint); }
  void wrote_to(const std::uint8_t* order, const std::uint8_t* numbers) {
    events -= order_.size();
    order_.wrote_to(order);
    events += order_.size();
    numbers_.wrote_to(numbers);
  }
  void add_again(std::uint32_t index) {
    order_.wrote_to(put_index(order_.room(1 + kMaxVarint), index));
    ++events;
  }
  std::size_t shape_count() const { return shapes_.size(); }
  /// Returns what was added; valid until the next call.
  ChunkView view();
  /// Begins the next piece and keeps the known shapes, unless they have become many.
  void next_piece();
  /// Returns the piece as a value of the least possible memory, and begins the next.
  Chunk take();
  std::size_t bytes() const;  // of events, and of shapes and lists that are new since the last piece

  std::uint64_t events = 0;
  std::size_t known = 0;  // shapes in the last piece and earlier ones
  struct Piece {
    std::uint64_t writer = 0;
    ObjectIndex object = 0;
    std::uint64_t serial = UINT64_MAX;
    bool operator==(const Piece&) const = default;
  };
  Piece following;  // the piece that would follow the last one

 private:
  void clear();
  /// Inlined, because a call would take as long as the comparison.
  [[gnu::always_inline]] bool matches(const Shape& shape, const Event& event, std::uint32_t head) const;
  std::uint32_t find_or_add(const Event& event, std::uint32_t head);
  std::uint32_t add_shape(const Event& event, std::uint32_t head, bool bytes_follow, std::size_t bucket);
  void grow_tables();

  std::vector<Shape> shapes_;
  std::vector<std::uint64_t> lists_;
  std::size_t known_lists_ = 0;
  GrowingBytes order_, numbers_;
  /// Shapes by their properties without bytes: the first of a bucket, and the one after each; index + 1.
  std::vector<std::uint32_t> buckets_, after_;
  /// The shape that last followed the three last shapes, at a hash of these. Both sizes are powers of two.
  std::vector<std::uint32_t> predicted_;
  std::uint32_t history_ = 0;
  /// Returns the slot for the whole history.
  std::size_t slot_of_prediction() const {
    return (history_ * std::uint64_t{0x9e3779b97f4a7c15} >> 40) & (predicted_.size() - 1);
  }
};

}  // namespace skein::trace
