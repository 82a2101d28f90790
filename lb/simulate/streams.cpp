// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/streams.hpp"

#include <algorithm>

namespace skein::simulate {
namespace {

std::uint64_t hash_of(const Action& action) {
  std::uint64_t hash = static_cast<std::uint64_t>(action.kind) | std::uint64_t{action.what} << 8 |
                       std::uint64_t{action.flags} << 16 | std::uint64_t{action.counters} << 24 |
                       std::uint64_t{action.communicator} << 32;
  const auto mix = [&](std::uint64_t value) { hash = ((hash ^ hash >> 29) + value) * 0x9e3779b97f4a7c15; };
  mix(static_cast<std::uint32_t>(action.tag));
  mix(action.bytes);
  mix(action.list.size());
  for (const std::uint64_t one : action.list) mix(one);
  return hash ^ hash >> 32;
}

bool equal(const Action& a, const Action& b) {
  return a.kind == b.kind && a.what == b.what && a.flags == b.flags && a.counters == b.counters &&
         a.communicator == b.communicator && a.tag == b.tag && a.bytes == b.bytes &&
         std::ranges::equal(a.list, b.list);
}

// Each of 0, 1, ..., once.
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
  constexpr std::size_t piece = 1 << 18;
  const std::size_t lines = chunk.shapes.size();
  if (lines_.empty() || lines_.back().capacity() - lines_.back().size() < lines) {
    // The first pieces are small, for traces that are.
    const std::size_t room = lines_.empty() ? lines : std::min(piece, 2 * lines_.back().capacity());
    lines_.emplace_back().reserve(std::max(room, lines));
  }
  LargeVector<Line>& room = lines_.back();
  const std::size_t first = room.size();
  for (const trace::Shape& shape : chunk.shapes) room.push_back({action_of(chunk, shape), shape.partner});
  at = {chunk.order.data(), chunk.numbers.data(), room.data() + first, static_cast<std::uint32_t>(lines),
        at.chunk + 1,       chunk.events};
  return true;
}

std::uint32_t Streams::action_of(const trace::Chunk& chunk, const trace::Shape& shape) {
  Action action{.kind = shape.kind,
                .what = shape.what,
                .flags = shape.flags,
                .counters = shape.counters,
                .communicator = shape.communicator,
                .tag = shape.tag,
                .bytes = shape.bytes,
                .list = {chunk.lists.data() + shape.list_begin, shape.list_size}};
  if (2 * actions_.size() >= places_.size()) grow();
  const std::size_t mask = places_.size() - 1;
  std::size_t i = hash_of(action) & mask;
  for (; places_[i] != free; i = (i + 1) & mask)
    if (equal(actions_[places_[i]], action)) return places_[i];
  places_[i] = static_cast<std::uint32_t>(actions_.size());
  action.latest = are_latest(action.list);
  using trace::EventKind;
  const bool message =
      action.kind == EventKind::send || action.kind == EventKind::receive || action.kind == EventKind::probe;
  if (message && action.tag != trace::any)
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
