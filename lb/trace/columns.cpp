// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/columns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include "lb/trace/bytes.hpp"
#include "lb/trace/noise.hpp"

namespace skein::trace {
namespace {

/// The form of a column: its lowest bit, and above it the power of two by which the numbers were divided.
constexpr std::uint8_t kDifferences = 1;
constexpr unsigned kLastPower = 63;

std::uint64_t difference(std::uint64_t value, std::uint64_t previous) {
  return zigzag(static_cast<std::int64_t>(value - previous));
}

/// The place of the first column of each shape, and of the end.
struct Layout {
  Layout(std::span<const Shape> shapes, std::span<const std::uint32_t> counts) : begin(shapes.size() + 1) {
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      columns.push_back(shapes[k].columns());
      begin[k + 1] = begin[k] + std::size_t{counts[k]} * columns[k];
    }
  }
  std::vector<unsigned> columns;  // by shape
  std::vector<std::size_t> begin;
};

/// Finds the events that have numbers, narrow ones by a table: most events have none.
class WithNumbers {
 public:
  explicit WithNumbers(std::span<const Shape> shapes) : shapes_(shapes) {
    looked_at_[kWideIndex] = true;
    for (std::size_t k = 0; k < std::min<std::size_t>(shapes.size(), kWideIndex); ++k)
      looked_at_[k] = shapes[k].columns() > 0;
  }
  template <typename Take>  // called with the index of each one's shape
  void for_each(std::span<const std::uint8_t> order, Take take) const {
    const std::uint8_t* const end = order.data() + order.size();
    for (const std::uint8_t* at = order.data(); at != end;) {
      if (!looked_at_[*at]) {
        ++at;
        continue;
      }
      std::uint32_t index;
      at = get_index(at, index);
      if (index < kWideIndex || shapes_[index].columns() > 0) take(index);
    }
  }

 private:
  std::span<const Shape> shapes_;
  std::array<bool, 256> looked_at_{};
};

template <typename Take>  // called with the index of each event's shape
void for_each_event(const ChunkView& chunk, Take take) {
  const std::uint8_t* at = chunk.order.data();
  for (std::uint64_t k = 0; k < chunk.events; ++k) {
    std::uint32_t index;
    at = get_index(at, index);
    take(index);
  }
}

void put_shape(ByteWriter& out, const Shape& shape, const ChunkView& chunk) {
  out.byte(static_cast<std::uint8_t>(shape.kind));
  out.byte(shape.what);
  out.byte(shape.flags);
  out.byte(shape.counters);
  out.number(shape.communicator);
  out.signed_number(shape.partner);
  out.signed_number(shape.tag);
  out.number(shape.bytes);
  out.number(shape.list_size);
  for (std::uint32_t k = 0; k < shape.list_size; ++k) out.number(chunk.lists[shape.list_begin + k]);
}

/// The last digits of a measured time are noise, which cannot be compressed. The times of a column are
/// rounded to a power of two of nanoseconds: at most 1/64 of their typical length (2^(b - 1) for a mean of b
/// bits), and at most 1024 ns. The rounding error of each time is carried to the next, so that their sum is
/// exact to half a step.
constexpr unsigned kExactBits = 6, kMostRoundedBits = 10;

unsigned rounded_bits(std::span<const std::uint64_t> times) {
  std::uint64_t bits = 0;
  for (const std::uint64_t time : times) bits += static_cast<unsigned>(std::bit_width(time));
  const std::uint64_t typical = bits / std::max<std::size_t>(times.size(), 1);
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>(typical, kExactBits + 1, kExactBits + 1 + kMostRoundedBits) - kExactBits - 1);
}

void round_times(std::span<std::uint64_t> times) {
  const unsigned bits = rounded_bits(times);
  if (bits == 0) return;
  const std::uint64_t half = std::uint64_t{1} << (bits - 1);
  std::uint64_t debt = half;  // half a step plus the rounding errors so far
  for (std::uint64_t& time : times) {
    const std::uint64_t due = time + debt;
    time = due >> bits << bits;
    debt = due - time;
  }
}

/// Writes the column in the shorter of its two forms, and returns the form. Changes the numbers.
std::uint8_t put_column(NoiseWriter& noise, std::span<std::uint64_t> column) {
  std::uint64_t all = 0;
  for (const std::uint64_t value : column) all |= value;
  const unsigned power = all ? static_cast<unsigned>(std::countr_zero(all)) : 0;
  unsigned plain = 0, differences = 0;
  std::uint64_t previous = 0;
  for (std::uint64_t& value : column) {
    value >>= power;
    plain += static_cast<unsigned>(std::bit_width(value));
    differences += static_cast<unsigned>(std::bit_width(difference(value, previous)));
    previous = value;
  }
  const auto form = static_cast<std::uint8_t>(power << 1);
  if (plain <= differences) {
    for (const std::uint64_t value : column) noise.put(value);
    return form;
  }
  previous = 0;
  for (const std::uint64_t value : column) {
    noise.put(difference(value, previous));
    previous = value;
  }
  return form | kDifferences;
}

constexpr std::size_t kLeastShape = 9;  // bytes of put_shape()

unsigned last_what(EventKind kind) {
  switch (kind) {
    case EventKind::sync:
      return 1;  // of an element that can be divided
    case EventKind::send:
      return static_cast<unsigned>(SendMode::ready);
    case EventKind::collective:
      return static_cast<unsigned>(Collective::create_comm);
    case EventKind::file:
      return static_cast<unsigned>(FileCall::other);
    case EventKind::execute:
      return static_cast<unsigned>(Cause::begin);
    default:
      return 0;
  }
}

std::int32_t signed32(ByteReader& in, const char* what) {
  const std::int64_t value = in.signed_number();
  if (value < INT32_MIN || value > INT32_MAX)
    in.fail(std::string(what) + " is " + std::to_string(value) + ", which is none");
  return static_cast<std::int32_t>(value);
}

void get_shape(ByteReader& in, Chunk& chunk) {
  Shape shape;
  const std::uint8_t kind = in.byte();
  if (kind > static_cast<std::uint8_t>(EventKind::finish))
    in.fail("an event of the unknown kind " + std::to_string(kind));
  shape.kind = static_cast<EventKind>(kind);
  shape.what = in.byte();
  if (shape.what > last_what(shape.kind))
    in.fail("an event of kind " + std::to_string(kind) + " has the unknown variant " +
            std::to_string(shape.what));
  shape.flags = in.byte();
  if (shape.flags & ~kAllShapeFlags) in.fail("an event has unknown parts");
  shape.counters = in.byte();
  shape.communicator = in.number32("a communicator");
  shape.partner = signed32(in, "a partner");
  shape.tag = signed32(in, "a tag");
  shape.bytes = in.number();
  shape.list_begin = static_cast<std::uint32_t>(chunk.lists.size());
  shape.list_size = static_cast<std::uint32_t>(in.count(1, "the length of a list"));
  for (std::uint32_t k = 0; k < shape.list_size; ++k) chunk.lists.push_back(in.number());
  chunk.shapes.push_back(shape);
}

std::vector<std::uint64_t> get_values(ByteReader& in, const PieceView& piece,
                                      std::span<const std::uint32_t> counts, const Layout& layout) {
  std::vector<std::uint64_t> values(piece.symbols.size());
  if (layout.begin.back() != values.size()) in.fail("it has not as many numbers as its events");
  NoiseReader numbers(piece.symbols, piece.noise);
  for (std::size_t k = 0; k < counts.size(); ++k)
    for (unsigned c = 0; c < (counts[k] ? layout.columns[k] : 0); ++c) {
      const std::uint8_t form = in.byte();
      const unsigned power = form >> 1;
      if (power > kLastPower) in.fail("numbers in the unknown form " + std::to_string(form));
      std::uint64_t previous = 0;
      for (std::uint64_t& value :
           std::span(values.data() + layout.begin[k] + std::size_t{c} * counts[k], counts[k])) {
        value = numbers.get();
        if (form & kDifferences) value = previous + static_cast<std::uint64_t>(unzigzag(value));
        previous = value;
        value <<= power;
      }
    }
  if (numbers.failed()) in.fail("its packed numbers are none");
  return values;
}

/// Inserts bytes before the slack.
void append(std::vector<std::uint8_t>& to, std::span<const std::uint8_t> bytes) {
  to.resize(to.empty() ? 0 : to.size() - kSlack);
  to.insert(to.end(), bytes.begin(), bytes.end());
  to.resize(to.size() + kSlack);
}

}  // namespace

PackedPiece pack(const ChunkView& chunk, std::size_t known, Precision precision) {
  std::vector<std::uint32_t> counts(chunk.shapes.size());  // of shapes with numbers
  const WithNumbers events(chunk.shapes);
  events.for_each(chunk.order, [&](std::uint32_t index) { ++counts[index]; });
  const Layout layout(chunk.shapes, counts);
  const std::size_t count = layout.begin.back();
  const auto values = std::make_unique_for_overwrite<std::uint64_t[]>(count);
  std::vector<std::uint64_t*> next;
  for (std::size_t k = 0; k < chunk.shapes.size(); ++k) next.push_back(values.get() + layout.begin[k]);
  const std::uint8_t* at = chunk.numbers;
  events.for_each(chunk.order, [&](std::uint32_t index) {
    std::uint64_t* to = next[index]++;
    for (unsigned c = layout.columns[index]; c > 0; --c, to += counts[index]) at = get_varint(at, *to);
  });

  ByteWriter structure;
  structure.number(known);
  structure.number(chunk.events);
  structure.number(chunk.shapes.size() - known);
  for (const Shape& shape : chunk.shapes.subspan(known)) put_shape(structure, shape, chunk);
  structure.raw(chunk.order);
  NoiseWriter noise(count);
  for (std::size_t k = 0; k < chunk.shapes.size(); ++k)
    for (unsigned c = 0; c < (counts[k] ? layout.columns[k] : 0); ++c) {
      const std::span column(values.get() + layout.begin[k] + std::size_t{c} * counts[k], counts[k]);
      if (precision == Precision::rounded && c < chunk.shapes[k].times()) round_times(column);
      structure.byte(put_column(noise, column));
    }
  const auto symbols = noise.symbols(), bits = noise.bits();
  return {std::move(structure.bytes()), {symbols.begin(), symbols.end()}, {bits.begin(), bits.end()}};
}

std::size_t known_shapes(const PieceView& piece, const std::string& called) {
  return ByteReader(piece.structure, called).number(SIZE_MAX, "the number of known events");
}

void unpack(const PieceView& piece, Chunk& chunk, const std::string& called) {
  ByteReader in(piece.structure, called);
  if (in.number() != chunk.shapes.size()) in.fail("it does not go on where the one before ended");
  const std::uint64_t events = in.count(1, "the number of events");
  const std::size_t new_shapes = in.count(kLeastShape, "the number of distinct events");
  for (std::size_t k = 0; k < new_shapes; ++k) get_shape(in, chunk);

  const std::size_t shapes = chunk.shapes.size();
  const std::uint8_t* const order_begin = in.left().data();
  std::vector<std::uint32_t> counts(shapes);
  for (std::uint64_t k = 0; k < events; ++k) {
    std::uint64_t index = in.byte();
    if (index == kWideIndex) index += in.number(shapes, "an event's index");
    if (index >= shapes) in.fail("an event is like no. " + std::to_string(index) + ", which does not exist");
    ++counts[index];
  }
  const std::span order(order_begin, in.left().data());
  const Layout layout(chunk.shapes, counts);
  const std::vector<std::uint64_t> values = get_values(in, piece, counts, layout);
  if (!in.left().empty()) in.fail("bytes are left over");

  std::vector<const std::uint64_t*> next;
  for (std::size_t k = 0; k < shapes; ++k) next.push_back(values.data() + layout.begin[k]);
  GrowingBytes numbers;
  for_each_event(ChunkView(chunk.shapes, chunk.lists, order, nullptr, events), [&](std::uint32_t index) {
    const unsigned columns = layout.columns[index];
    std::uint8_t* at = numbers.room(columns * kMaxVarint);
    const std::uint64_t* from = next[index]++;
    for (unsigned c = 0; c < columns; ++c, from += counts[index]) at = put_varint(at, *from);
    numbers.wrote_to(at);
  });
  append(chunk.order, order);
  append(chunk.numbers, {numbers.data(), numbers.size()});
  chunk.events += events;
}

}  // namespace skein::trace
