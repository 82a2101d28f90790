// SPDX-License-Identifier: Apache-2.0
// Finds the bytes of a type, for files, whose views are types. Positions are those of the packed stream of as
// many instances of the type as are needed, one extent apart.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/vmpi/datatype/datatype.hpp"
#include "runtime/vmpi/datatype/layout_rows.hpp"

namespace skein::vmpi {

/// Calls visit(offset, bytes) for the blocks that hold bytes [from, to) of the stream, in its order; offsets
/// are from the first instance's origin. Neighbouring blocks may come separately.
template <class Visit>
class BlockWalk : LayoutRows {
 public:
  /// Precondition: `type` is committed and has a size.
  BlockWalk(const Datatype& type, Visit& visit) : LayoutRows(type.layout()), type_(type), visit_(visit) {}

  void walk(std::int64_t from, std::int64_t to) {
    if (from >= to) return;
    const Layout::Piece& root = type_.layout().root;
    if (type_.dense())
      visit_(root.offset + from, to - from);
    else
      repeat(root.node, root.size, type_.extent(), root.offset, from, to);
  }

 private:
  void repeat(std::int32_t child, std::int64_t child_size, std::int64_t stride, std::int64_t offset,
              std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from / child_size; from < to; ++i) {
      const std::int64_t start = i * child_size, end = std::min(to, start + child_size);
      piece(child, offset + i * stride, from - start, end - start);
      from = end;
    }
  }

  void piece(std::int32_t child, std::int64_t offset, std::int64_t from, std::int64_t to) {
    if (child < 0) return visit_(offset + from, to - from);
    const Layout::Node& node = nodes_[child];
    if (node.kind == Layout::Kind::loop)
      return repeat(node.child, node.child_size, node.stride, offset, from, to);
    for (std::int64_t i = row_holding(node, from); from < to; ++i) {
      const std::int64_t start = row_start(node, i), end = std::min(to, row_end(node, i));
      const std::int64_t* const row = table_ + node.first_row + i * row_width(node);
      const std::int32_t of = node.kind == Layout::Kind::scattered  ? node.child
                              : node.kind == Layout::Kind::sequence ? static_cast<std::int32_t>(row[2])
                                                                    : -1;
      piece(of, offset + row[0], from - start, end - start);
      from = end;
    }
  }

  const Datatype& type_;
  Visit& visit_;
};

template <class Visit>
void for_each_block(const Datatype& type, std::int64_t from, std::int64_t to, Visit&& visit) {
  BlockWalk<Visit>(type, visit).walk(from, to);
}

}  // namespace skein::vmpi
