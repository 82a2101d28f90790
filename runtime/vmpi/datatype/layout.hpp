// SPDX-License-Identifier: Apache-2.0
// Layouts: a committed datatype as a small tree of loops over contiguous blocks of bytes, in the order in
// which the standard packs them. A vector of a million blocks is one node, and contiguous data is one block,
// however it was constructed.
//
// A piece is either a plain block (node < 0) or a node. Every piece has a size, the bytes it packs to, so
// that any position of the packed stream is found by division and binary search: packing needs no state but
// that position.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

namespace skein::vmpi {

class Datatype;

struct Layout {
  struct Piece {
    std::int64_t offset = 0;  ///< bytes, from the origin of the piece's parent
    std::int64_t size = 0;    ///< packed bytes
    std::int32_t node = -1;
    bool block() const { return node < 0; }
  };

  enum class Kind : std::uint8_t {
    loop,       ///< child at 0, stride, 2 * stride, ...
    scattered,  ///< child at offsets of its own; table row: {offset}
    blocks,     ///< blocks of different lengths; table row: {offset, packed start}
    sequence    ///< different children; table row: {offset, packed start, node}
  };

  struct Node {
    Kind kind = Kind::loop;
    std::int64_t size = 0;        ///< packed bytes
    std::int64_t count = 0;       ///< children
    std::int64_t stride = 0;      ///< loop: bytes
    std::int64_t child_size = 0;  ///< loop, scattered: packed bytes of each child
    std::int32_t child = -1;      ///< loop, scattered: node of each child; -1: a plain block
    std::int64_t first_row = 0;   ///< other kinds: index of the first number of the first table row
  };

  explicit Layout(std::pmr::memory_resource* memory) : nodes(memory), table(memory) {}

  Piece root;
  std::pmr::vector<Node> nodes;
  std::pmr::vector<std::int64_t> table;
};

/// Fills `out` with the layout of one `type`. Temporary memory comes from the process, the result from
/// `out`'s own.
void compile_layout(const Datatype& type, Layout& out);

}  // namespace skein::vmpi
