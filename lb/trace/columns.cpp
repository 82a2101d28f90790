// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/columns.hpp"

#include <algorithm>
#include <numeric>

#include "lb/trace/bytes.hpp"
#include "lb/trace/noise.hpp"

namespace skein::trace {
namespace {

enum ColumnMode : std::uint8_t { kPlain = 0, kDifferences = 1 };

std::uint64_t difference(std::uint64_t value, std::uint64_t previous) {
  return zigzag(static_cast<std::int64_t>(value - previous));
}

// Where the first column of each shape begins; then the number of all values.
struct Layout {
  explicit Layout(const std::vector<Shape>& shapes, const std::vector<std::uint32_t>& counts)
      : begin(shapes.size() + 1) {
    for (std::size_t k = 0; k < shapes.size(); ++k)
      begin[k + 1] = begin[k] + std::size_t{counts[k]} * shapes[k].columns();
  }
  std::vector<std::size_t> begin;
};

template <typename Take>  // with the index of the shape, and where its numbers begin; returns where they end
void for_each_event(const Chunk& chunk, Take take) {
  const std::uint8_t* at = chunk.ops.data();
  for (std::uint64_t k = 0; k < chunk.events; ++k) {
    std::uint32_t index;
    at = get_index(at, index);
    at = take(index, at);
  }
}

std::vector<std::uint32_t> count_shapes(const Chunk& chunk) {
  std::vector<std::uint32_t> counts(chunk.shapes.size());
  for_each_event(chunk, [&](std::uint32_t index, const std::uint8_t* at) {
    ++counts[index];
    std::uint64_t ignored;
    for (unsigned c = chunk.shapes[index].columns(); c > 0; --c) at = get_varint(at, ignored);
    return at;
  });
  return counts;
}

void put_shape(ByteWriter& out, const Shape& shape, const Chunk& chunk) {
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

constexpr std::size_t kLeastShape = 9;  // bytes of put_shape()

unsigned last_what(EventKind kind) {
  switch (kind) {
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

}  // namespace

PackedChunk pack(const Chunk& chunk) {
  const std::vector<std::uint32_t> counts = count_shapes(chunk);
  const Layout layout(chunk.shapes, counts);
  std::vector<std::uint64_t> values(layout.begin.back());
  std::vector<std::size_t> next(layout.begin.begin(), layout.begin.end() - 1);
  ByteWriter order;
  for_each_event(chunk, [&](std::uint32_t index, const std::uint8_t* at) {
    std::uint8_t space[1 + kMaxVarint];
    order.bytes().insert(order.bytes().end(), space, put_index(space, index));
    std::size_t to = next[index]++;
    for (unsigned c = chunk.shapes[index].columns(); c > 0; --c, to += counts[index])
      at = get_varint(at, values[to]);
    return at;
  });

  PackedChunk packed;
  ByteWriter text;
  text.number(chunk.events);
  text.number(chunk.shapes.size());
  for (const Shape& shape : chunk.shapes) put_shape(text, shape, chunk);
  text.bytes().insert(text.bytes().end(), order.bytes().begin(), order.bytes().end());
  NoiseWriter noise(text.bytes(), packed.noise);
  for (std::size_t k = 0; k < chunk.shapes.size(); ++k)
    for (unsigned c = 0; c < chunk.shapes[k].columns(); ++c) {
      const std::span column(values.data() + layout.begin[k] + c * counts[k], counts[k]);
      unsigned plain = 0, differences = 0;
      std::uint64_t previous = 0;
      for (const std::uint64_t value : column) {
        plain += static_cast<unsigned>(std::bit_width(value));
        differences += static_cast<unsigned>(std::bit_width(difference(value, previous)));
        previous = value;
      }
      const bool plainly = plain <= differences;
      text.byte(plainly ? kPlain : kDifferences);
      previous = 0;
      for (const std::uint64_t value : column) {
        noise.put(plainly ? value : difference(value, previous));
        previous = value;
      }
    }
  noise.flush();
  packed.text = std::move(text.bytes());
  return packed;
}

Chunk unpack(std::span<const std::uint8_t> text, std::span<const std::uint8_t> noise,
             const std::string& called) {
  ByteReader in(text, called);
  Chunk chunk;
  chunk.events = in.count(1, "the number of events");
  const std::size_t shapes = in.count(kLeastShape, "the number of distinct events");
  chunk.shapes.reserve(shapes);
  for (std::size_t k = 0; k < shapes; ++k) get_shape(in, chunk);
  chunk.lists.shrink_to_fit();

  std::vector<std::uint32_t> order(chunk.events), counts(shapes);
  for (std::uint32_t& index : order) {
    index = in.byte();
    if (index == kWideIndex) index += static_cast<std::uint32_t>(in.number(shapes, "an event's index"));
    if (index >= shapes) in.fail("an event is like no. " + std::to_string(index) + ", which does not exist");
    ++counts[index];
  }
  const Layout layout(chunk.shapes, counts);
  if (layout.begin.back() > in.left().size()) in.fail("it ends too early");
  std::vector<std::uint64_t> values(layout.begin.back());
  NoiseReader numbers(in, noise);
  for (std::size_t k = 0; k < shapes; ++k)
    for (unsigned c = 0; c < chunk.shapes[k].columns(); ++c) {
      const std::uint8_t mode = in.byte();
      if (mode > kDifferences) in.fail("numbers in the unknown form " + std::to_string(mode));
      std::uint64_t previous = 0;
      for (std::uint64_t& value : std::span(values.data() + layout.begin[k] + c * counts[k], counts[k])) {
        value = numbers.get();
        if (mode == kDifferences) value = previous + static_cast<std::uint64_t>(unzigzag(value));
        previous = value;
      }
    }
  if (!in.left().empty()) in.fail("bytes are left over");

  std::vector<std::size_t> next(layout.begin.begin(), layout.begin.end() - 1);
  std::size_t used = 0;
  chunk.ops.resize(chunk.events * 4 + kOpsSlack);
  for (const std::uint32_t index : order) {
    const unsigned columns = chunk.shapes[index].columns();
    const std::size_t most = used + kMaxVarint * (columns + 2) + kOpsSlack;
    if (most > chunk.ops.size()) chunk.ops.resize(chunk.ops.size() + chunk.ops.size() / 4 + most);
    std::uint8_t* at = put_index(chunk.ops.data() + used, index);
    std::size_t from = next[index]++;
    for (unsigned c = 0; c < columns; ++c, from += counts[index]) at = put_varint(at, values[from]);
    used = static_cast<std::size_t>(at - chunk.ops.data());
  }
  chunk.ops.resize(used + kOpsSlack);
  chunk.ops.shrink_to_fit();
  return chunk;
}

}  // namespace skein::trace
