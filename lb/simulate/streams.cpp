// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/streams.hpp"

#include <algorithm>

#include "lb/simulate/large_pages.hpp"

namespace skein::simulate {
namespace {

std::uint64_t hash_of(const Action& action) {
  std::uint64_t hash = static_cast<std::uint64_t>(action.kind) | std::uint64_t{action.what} << 8 |
                       std::uint64_t{action.flags} << 16 | std::uint64_t{action.counters} << 24 |
                       std::uint64_t{action.communicator} << 32;
  const auto mix = [&](std::uint64_t value) { hash = ((hash ^ hash >> 29) + value) * 0x9e3779b97f4a7c15; };
  mix(static_cast<std::uint32_t>(action.tag) | std::uint64_t{action.relative} << 32);
  mix(action.bytes);
  mix(action.list.size());
  for (const std::uint64_t one : action.list) mix(one);
  return hash ^ hash >> 32;
}

bool equal(const Action& a, const Action& b) {
  return a.kind == b.kind && a.what == b.what && a.flags == b.flags && a.counters == b.counters &&
         a.communicator == b.communicator && a.tag == b.tag && a.relative == b.relative &&
         a.bytes == b.bytes && std::ranges::equal(a.list, b.list);
}

bool is_between_ranks(trace::EventKind kind) {
  return kind == trace::EventKind::send || kind == trace::EventKind::receive ||
         kind == trace::EventKind::probe;
}

bool has_distance(const trace::Shape& shape) {
  return is_between_ranks(shape.kind) && shape.partner != trace::kAny;
}

/// Returns true if two shapes, each of its chunk, differ at most in the distance of the partner.
bool do_the_same(const trace::Chunk& of_a, const trace::Shape& a, const trace::Chunk& of_b,
                 const trace::Shape& b) {
  return a.kind == b.kind && a.what == b.what && a.flags == b.flags && a.counters == b.counters &&
         a.communicator == b.communicator && a.tag == b.tag && has_distance(a) == has_distance(b) &&
         a.bytes == b.bytes && a.list_size == b.list_size &&
         std::equal(of_a.lists.data() + a.list_begin, of_a.lists.data() + a.list_begin + a.list_size,
                    of_b.lists.data() + b.list_begin);
}

/// Returns true if the list has each of 0, 1, ... once.
bool are_latest(std::span<const std::uint64_t> list) {
  std::vector<bool> has(list.size());
  for (const std::uint64_t back : list) {
    if (back >= list.size() || has[back]) return false;
    has[back] = true;
  }
  return true;
}

}  // namespace

trace::Event Reading::event() const {
  return {.kind = action->kind,
          .what = action->what,
          .starts_request = action->starts_request(),
          .communicator = action->communicator,
          .partner = partner,
          .tag = action->tag,
          .bytes = bytes,
          .list = action->list,
          .burst_ns = burst_ns,
          .call_ns = call_ns};
}

bool Streams::next_chunk(trace::ObjectIndex object, Position& at) {
  const std::vector<trace::Chunk>& chunks = trace_.data().streams[object].chunks;
  while (at.chunk < chunks.size() && chunks[at.chunk].events == 0) ++at.chunk;
  if (at.chunk >= chunks.size()) return false;
  const trace::Chunk& chunk = chunks[at.chunk];
  const std::uint8_t* const order = order_of(chunk);
  at = {{order, chunk.numbers.data()},
        order + (chunk.order.size() - trace::kSlack),
        lines_of(chunk, object),
        static_cast<std::uint32_t>(chunk.shapes.size()),
        at.chunk + 1};
  return true;
}

/// Prefetches what next_chunk() compares: of the farther stream pointers, of the nearer one their data.
void Streams::prefetch_beginnings_after(trace::ObjectIndex object) const {
  constexpr std::size_t far = 16, near = 8;
  const auto& streams = trace_.data().streams;
  if (object + far < streams.size()) prefetch_line(streams[object + far].chunks.data());
  if (object + near >= streams.size() || streams[object + near].chunks.empty()) return;
  const trace::Chunk& chunk = streams[object + near].chunks.front();
  prefetch_lines(chunk.order.data(), chunk.order.size());
  prefetch_lines(chunk.shapes.data(), chunk.shapes.size() * sizeof(trace::Shape));
  prefetch_lines(chunk.lists.data(), chunk.lists.size() * sizeof(std::uint64_t));
}

const std::uint8_t* Streams::order_of(const trace::Chunk& chunk) {
  return known_orders_.first_of(chunk.order, [](EqualBytes::Bytes order) { return order.data(); });
}

const Streams::Line* Streams::lines_of(const trace::Chunk& chunk, trace::ObjectIndex object) {
  const std::size_t count = chunk.shapes.size();
  const std::size_t alike = last_chunk_ ? std::min(count, last_chunk_->shapes.size()) : 0;
  read_lines_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const trace::Shape& shape = chunk.shapes[i];
    Line& line = read_lines_[i];  // may still have its value of the last chunk
    if (i >= alike || !do_the_same(*last_chunk_, last_chunk_->shapes[i], chunk, shape))
      line.action = action_of(chunk, shape);
    line.partner = shape.partner;
    if (actions_[line.action].relative) line.partner -= static_cast<std::int32_t>(object);
  }
  last_chunk_ = &chunk;

  const auto keep = [&](EqualBytes::Bytes) {
    constexpr std::size_t piece = 1 << 18;
    if (lines_.empty() || lines_.back().capacity() - lines_.back().size() < count) {
      // The first blocks are small, for small traces.
      const std::size_t room = lines_.empty() ? count : std::min(piece, 2 * lines_.back().capacity());
      lines_.emplace_back().reserve(std::max(room, count));
    }
    LargeVector<Line>& room = lines_.back();
    const Line* const lines = room.data() + room.size();
    room.insert(room.end(), read_lines_.begin(), read_lines_.end());
    return reinterpret_cast<const std::uint8_t*>(lines);
  };
  const EqualBytes::Bytes bytes(reinterpret_cast<const std::uint8_t*>(read_lines_.data()),
                                count * sizeof(Line));
  return reinterpret_cast<const Line*>(known_lines_.first_of(bytes, keep));
}

std::uint32_t Streams::action_of(const trace::Chunk& chunk, const trace::Shape& shape) {
  Action action{.kind = shape.kind,
                .what = shape.what,
                .flags = shape.flags,
                .counters = shape.counters,
                .communicator = shape.communicator,
                .tag = shape.tag,
                .relative = has_distance(shape),
                .bytes = shape.bytes,
                .list = {chunk.lists.data() + shape.list_begin, shape.list_size}};
  if (2 * actions_.size() >= places_.size()) grow();
  const std::size_t mask = places_.size() - 1;
  std::size_t i = hash_of(action) & mask;
  for (; places_[i] != free; i = (i + 1) & mask)
    if (equal(actions_[places_[i]], action)) return places_[i];
  places_[i] = static_cast<std::uint32_t>(actions_.size());
  action.latest = are_latest(action.list);
  if (is_between_ranks(action.kind) && action.tag != trace::kAny)
    action.place = places_of_tags_.of(action.communicator * 2, action.tag);
  actions_.push_back(action);
  return places_[i];
}

void Streams::grow() {
  places_.assign(2 * places_.size(), free);
  const std::size_t mask = places_.size() - 1;
  for (std::uint32_t index = 0; index < actions_.size(); ++index) {
    std::size_t i = hash_of(actions_[index]) & mask;
    while (places_[i] != free) i = (i + 1) & mask;
    places_[i] = index;
  }
}

const std::uint8_t* Streams::skip(const Action& action, const std::uint8_t* numbers) {
  std::uint64_t unused;
  for (unsigned more = action.counters + unsigned{action.has(trace::kHasSerial)}; more > 0; --more)
    numbers = trace::get_varint(numbers, unused);
  return numbers;
}

}  // namespace skein::simulate
