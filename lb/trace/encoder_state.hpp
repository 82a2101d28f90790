// SPDX-License-Identifier: Apache-2.0
// The inside of Encoder: builds a chunk event by event.
#pragma once
#include <cstdint>
#include <vector>

#include "lb/trace/chunk.hpp"
#include "skein/lb/trace_writer.hpp"

namespace skein::trace {

struct Encoder::State {
  State();
  void add(const Event& event);
  // The chunk so far; begins anew.
  Chunk take();
  std::size_t bytes() const;

  std::uint64_t events = 0;

 private:
  bool matches(const Shape& shape, const Event& event, std::uint32_t head) const;
  std::uint32_t find_or_add(const Event& event, std::uint32_t head);
  std::uint32_t add_shape(const Event& event, std::uint32_t head, bool bytes_follow, std::size_t bucket);
  void grow_tables();
  void make_room(std::size_t bytes);

  Chunk chunk_;           // ops is longer than what is used
  std::size_t used_ = 0;  // of ops
  // Shapes by what they are but for their bytes: the first of a bucket, and the one after each; index + 1.
  std::vector<std::uint32_t> buckets_, after_;
  // What came after the last three shapes the last time, at a hash of these; both are a power of two long.
  std::vector<std::uint32_t> predicted_;
  std::uint32_t history_ = 0;
};

}  // namespace skein::trace
