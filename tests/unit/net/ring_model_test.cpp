// SPDX-License-Identifier: Apache-2.0
// A small ring in every order of events that its memory orders allow. The real ends run, each on its own view
// of the memory. A change of one end reaches the other's view later, piece by piece: of a message first its
// bytes and each cleared mark in any order, then its mark, then the mark that says skip; of the reader how
// far it has read. Marks that are cleared further ahead arrive at any time before the mark of the next
// message. The reader may look in between as often as it likes. `release` in ring.hpp promises that marks
// come last: the model assumes this order, and does not check that the compiler keeps it.
#include <doctest/doctest.h>

#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "runtime/net/ring.hpp"

using namespace skein::net;

namespace {

constexpr std::size_t cells = 8, bytes = ring_bytes(cells);
constexpr int messages = 9;  // of one or three cells each: more than one lap, with every place to wrap at
constexpr std::size_t sizes[] = {3, longest_in_ring(cells)};

struct alignas(kCellBytes) View {
  std::byte memory[bytes];
  RingHead& head() { return *reinterpret_cast<RingHead*>(memory); }
};

/// The cells that a message under way changes, and which of its parts have arrived.
struct UnderWay {
  std::uint32_t begin, length, skipped;  // cells; `skipped`: none if equal to `begin`
  std::uint32_t arrived;                 // bits: 1 bytes, 4 mark
};

struct State {
  View written, read;  // the memory as the writer and the reader see it
  RingWriter writer;
  RingReader reader;
  UnderWay under_way;
  std::uint32_t is_under_way, cells_written;  // counted as ring.hpp does
  // Cleared marks that have not arrived, a bit for each cell: those that must arrive before the mark of the
  // message under way, and others.
  std::uint32_t cleared_before, cleared_ahead;
  std::uint32_t written_messages, read_messages;
  std::uint32_t is_long;  // a bit for each message
};
static_assert(std::is_trivially_copyable_v<RingWriter> && std::is_trivially_copyable_v<RingReader>);

State now;  // at one address, to which the ends point
std::size_t failures = 0, wraps = 0, refusals = 0;

void expect(bool holds) { failures += !holds; }

std::size_t size_of(std::uint32_t message) { return sizes[now.is_long >> message & 1]; }
/// Returns bytes any eight of which would be a mark.
std::string text_of(std::uint32_t message) {
  return std::string(size_of(message), static_cast<char>(message + 1));
}

/// Copies `count` bytes of the writer's view into the reader's.
void arrive(std::size_t cell, std::size_t from, std::size_t count) {
  const std::size_t at = sizeof(RingHead) + cell * kCellBytes + from;
  memcpy(now.read.memory + at, now.written.memory + at, count);
}

std::uint64_t mark_of(const View& view, std::uint32_t cell) {
  std::uint64_t mark;
  memcpy(&mark, view.memory + sizeof(RingHead) + cell * kCellBytes, sizeof mark);
  return mark;
}
std::uint32_t marks_cleared_since(const View& before) {
  std::uint32_t cleared = 0;
  for (std::uint32_t cell = 0; cell < cells; ++cell)
    if (mark_of(before, cell) != 0 && mark_of(now.written, cell) == 0) cleared |= 1u << cell;
  return cleared;
}

bool write(bool is_long) {
  const std::uint32_t message = now.written_messages;
  now.is_long = (now.is_long & ~(1u << message)) | (is_long ? 1u << message : 0u);
  const std::string text = text_of(message);
  const View before = now.written;
  if (!now.writer.write(message, text.data(), text.size())) {
    // If all messages have been read and the writer can know it, there must be room.
    expect(now.read_messages < now.written_messages ||
           memcmp(now.written.memory, now.read.memory, sizeof(RingHead)) != 0);
    ++refusals;
    return false;
  }
  const auto length = static_cast<std::uint32_t>(ring::cells_of(text.size()));
  const std::uint32_t at = now.cells_written % cells;
  const bool skips = at + length > cells;
  wraps += skips;
  const std::uint32_t begin = skips ? 0 : at;
  now.cells_written += length + (skips ? cells - at : 0);
  now.under_way = {begin, length, at, 0};
  now.is_under_way = 1;
  now.cleared_before |= std::exchange(now.cleared_ahead, marks_cleared_since(before));
  const std::uint32_t behind = 1u << (begin + length) % cells, its_own = ((1u << length) - 1) << begin;
  now.cleared_before = (now.cleared_before | (now.cleared_ahead & behind)) & ~its_own;
  now.cleared_ahead &= ~behind & ~its_own;
  ++now.written_messages;
  return true;
}

void let_arrive(std::uint32_t piece) {
  UnderWay& its = now.under_way;
  constexpr std::size_t mark = sizeof(std::uint64_t);
  its.arrived |= piece;
  if (piece == 1) {
    arrive(its.begin, mark, its.length * kCellBytes - mark);
  } else if (piece == 4) {
    arrive(its.begin, 0, mark);
    now.is_under_way = its.skipped != its.begin;
  } else {
    arrive(its.skipped, 0, mark);
    now.is_under_way = 0;
  }
}

/// Reads a message. Returns true if there was one.
bool read() {
  const RingReader::Message message = now.reader.peek();
  const bool whole = now.read_messages + now.is_under_way < now.written_messages;
  expect(bool(message) == whole);
  if (!message || !whole) return false;
  const std::string text = text_of(now.read_messages);
  expect(message.word == now.read_messages && message.size == text.size() &&
         memcmp(message.bytes, text.data(), text.size()) == 0);
  now.reader.pop(message);
  ++now.read_messages;
  return true;
}

void let_cleared_arrive(std::uint32_t cell) {
  arrive(cell, 0, sizeof(std::uint64_t));
  now.cleared_before &= ~(1u << cell);
  now.cleared_ahead &= ~(1u << cell);
}

std::set<std::string> seen;

template <class Event>
void after(const Event& event);

void explore() {
  if (failures > 0 || !seen.emplace(reinterpret_cast<const char*>(&now), sizeof now).second) return;
  after([] { return read(); });
  after([] {
    memcpy(now.written.memory, now.read.memory, sizeof(RingHead));
    return true;
  });
  if (!now.is_under_way && now.written_messages < messages)
    for (const bool is_long : {false, true}) after([=] { return write(is_long); });
  for (std::uint32_t cell = 0; cell < cells; ++cell)
    if ((now.cleared_before | now.cleared_ahead) >> cell & 1)
      after([=] {
        let_cleared_arrive(cell);
        return true;
      });
  if (!now.is_under_way) return;
  const std::uint32_t arrived = now.under_way.arrived;
  for (const std::uint32_t piece : {1u, 4u, 8u}) {
    const bool is_next = piece == 4   ? arrived == 1 && now.cleared_before == 0
                         : piece == 8 ? arrived == 5
                                      : true;
    if (is_next && !(arrived & piece))
      after([=] {
        let_arrive(piece);
        return true;
      });
  }
}

template <class Event>
void after(const Event& event) {
  const State before = now;
  if (event()) explore();
  memcpy(static_cast<void*>(&now), &before, sizeof now);
}

}  // namespace

TEST_CASE("ring: in every order in which its parts can arrive, each message is read once, whole, in order") {
  memset(static_cast<void*>(&now), 0, sizeof now);
  now.writer = RingWriter(now.written.head(), cells);
  now.reader = RingReader(now.read.head(), cells);
  explore();
  CHECK(failures == 0);
  // The model has reached the cases that matter.
  CHECK(wraps > 0);
  CHECK(refusals > 0);
  MESSAGE(seen.size() << " states");
  seen.clear();
}
