// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/datatype/packer.hpp"

#include <algorithm>
#include <array>

#include "runtime/base/check.hpp"
#include "runtime/vmpi/datatype/block_copy.hpp"
#include "runtime/vmpi/datatype/layout_rows.hpp"

namespace skein::vmpi {
namespace {

using Kind = Layout::Kind;
using Node = Layout::Node;

/// Walks a layout and moves bytes. User addresses are the origins of pieces in the user's buffer; packed
/// addresses are those of a piece's first wanted byte.
template <Direction direction>
class Walker : LayoutRows {
 public:
  using LayoutRows::LayoutRows;

  /// Moves `count` whole pieces, `stride` apart.
  void repeat_whole(std::int32_t child, std::int64_t child_size, std::int64_t count, std::int64_t stride,
                    std::byte* user, std::byte* packed) const {
    if (child < 0) return copy_strided<direction>(user, packed, child_size, count, stride);
    const Node& node = nodes_[child];
    for (std::int64_t i = 0; i < count; ++i) whole(node, user + i * stride, packed + i * child_size);
  }

  /// Moves bytes [from, to) of `count` pieces, `stride` apart.
  void repeat_range(std::int32_t child, std::int64_t child_size, std::int64_t stride, std::byte* user,
                    std::int64_t from, std::int64_t to, std::byte* packed) const {
    std::int64_t index = from / child_size;
    const std::int64_t skip = from - index * child_size;
    if (skip > 0) {
      const std::int64_t end = std::min(child_size, skip + (to - from));
      range(child, user + index * stride, skip, end, packed);
      packed += end - skip;
      from += end - skip;
      ++index;
    }
    const std::int64_t full = (to - from) / child_size;
    repeat_whole(child, child_size, full, stride, user + index * stride, packed);
    const std::int64_t rest = to - from - full * child_size;
    if (rest > 0) range(child, user + (index + full) * stride, 0, rest, packed + full * child_size);
  }

 private:
  /// Moves a whole node.
  void whole(const Node& node, std::byte* user, std::byte* packed) const {
    const std::int64_t* row = table_ + node.first_row;
    switch (node.kind) {
      case Kind::loop:
        return repeat_whole(node.child, node.child_size, node.count, node.stride, user, packed);
      case Kind::scattered:
        if (node.child < 0) return copy_listed<direction>(user, packed, node.child_size, node.count, row);
        for (std::int64_t i = 0; i < node.count; ++i)
          whole(nodes_[node.child], user + row[i], packed + i * node.child_size);
        return;
      case Kind::blocks:
        for (std::int64_t i = 0; i < node.count; ++i)
          copy_short_block<direction>(user + row[2 * i], packed + row[2 * i + 1],
                                      row_end(node, i) - row[2 * i + 1]);
        return;
      case Kind::sequence:
        for (std::int64_t i = 0; i < node.count; ++i) {
          const std::int64_t start = row[3 * i + 1];
          const auto child = static_cast<std::int32_t>(row[3 * i + 2]);
          if (child < 0)
            copy_short_block<direction>(user + row[3 * i], packed + start, row_end(node, i) - start);
          else
            whole(nodes_[child], user + row[3 * i], packed + start);
        }
        return;
    }
  }

  /// Moves bytes [from, to) of a piece, from < to.
  void range(std::int32_t child, std::byte* user, std::int64_t from, std::int64_t to,
             std::byte* packed) const {
    if (child < 0) return copy_block<direction>(user + from, packed, to - from);
    const Node& node = nodes_[child];
    if (node.kind == Kind::loop)
      return repeat_range(node.child, node.child_size, node.stride, user, from, to, packed);
    for (std::int64_t i = row_holding(node, from); from < to; ++i) {
      const std::int64_t start = row_start(node, i);
      const std::int64_t end = std::min(to, row_end(node, i));
      const std::int64_t* row = table_ + node.first_row + i * row_width(node);
      const std::int32_t of = node.kind == Kind::scattered  ? node.child
                              : node.kind == Kind::sequence ? static_cast<std::int32_t>(row[2])
                                                            : -1;
      range(of, user + row[0], from - start, end - start, packed);
      packed += end - from;
      from = end;
    }
  }
};

template <Direction direction>
void move_range(const void* buffer, std::int64_t count, const Datatype& type, std::int64_t from,
                std::int64_t to, std::byte* packed) {
  SKEIN_DCHECK(type.committed(), "datatype %s is not committed", type.name().data());
  SKEIN_DCHECK(0 <= from && to <= count * type.size(), "bytes %ld to %ld of %ld", from, to,
               count * type.size());
  if (from >= to) return;
  std::byte* user = root_address(buffer, type);
  if (type.dense() || (count == 1 && type.contiguous()))
    return copy_block<direction>(user + from, packed, to - from);
  const Layout& layout = type.layout();
  Walker<direction>(layout).repeat_range(layout.root.node, layout.root.size, type.extent(), user, from, to,
                                         packed);
}

}  // namespace

void pack_range(const void* buffer, std::int64_t count, const Datatype& type, std::int64_t from,
                std::int64_t to, void* out) {
  move_range<Direction::pack>(buffer, count, type, from, to, static_cast<std::byte*>(out));
}

void unpack_range(void* buffer, std::int64_t count, const Datatype& type, std::int64_t from, std::int64_t to,
                  const void* in) {
  // Unpacking only reads the packed side; the walker has one signature for both directions.
  move_range<Direction::unpack>(buffer, count, type, from, to,
                                static_cast<std::byte*>(const_cast<void*>(in)));
}

std::int64_t pack(const void* buffer, std::int64_t count, const Datatype& type, void* out) {
  const std::int64_t bytes = count * type.size();
  pack_range(buffer, count, type, 0, bytes, out);
  return bytes;
}

std::int64_t unpack(void* buffer, std::int64_t count, const Datatype& type, const void* in,
                    std::int64_t bytes) {
  bytes = std::min(bytes, count * type.size());
  unpack_range(buffer, count, type, 0, bytes, in);
  return bytes;
}

std::int64_t copy_typed(const void* from, std::int64_t from_count, const Datatype& from_type, void* to,
                        std::int64_t to_count, const Datatype& to_type) {
  const std::int64_t bytes = std::min(from_count * from_type.size(), to_count * to_type.size());
  if (bytes == 0) return 0;
  if (std::byte* out = contiguous_data(to, to_count, to_type)) {
    pack_range(from, from_count, from_type, 0, bytes, out);
  } else if (const std::byte* in = contiguous_data(from, from_count, from_type)) {
    unpack_range(to, to_count, to_type, 0, bytes, in);
  } else {
    std::array<std::byte, 4096> piece;  // stays in the first-level cache, and is small on a rank's stack
    for (std::int64_t position = 0; position < bytes;) {
      const std::int64_t end =
          std::min<std::int64_t>(bytes, position + static_cast<std::int64_t>(piece.size()));
      pack_range(from, from_count, from_type, position, end, piece.data());
      unpack_range(to, to_count, to_type, position, end, piece.data());
      position = end;
    }
  }
  return bytes;
}

}  // namespace skein::vmpi
