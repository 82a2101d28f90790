// SPDX-License-Identifier: Apache-2.0
// Compiles a typemap to a layout. Three rules keep it small; all preserve the order of the bytes:
//   repeat:  a block at a stride of its own size is a longer block; equal adjacent loops are one longer loop
//   merge:   neighbouring blocks are one block
//   join:    a list of equal pieces at a constant stride is a loop, and only other pieces are in a table
#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "runtime/base/check.hpp"
#include "runtime/vmpi/datatype/layout.hpp"
#include "runtime/vmpi/datatype/typemap.hpp"

namespace skein::vmpi {
namespace {

using Piece = Layout::Piece;
using Kind = Layout::Kind;

class Compiler {
 public:
  explicit Compiler(Layout& out) : out_(out) {}

  Piece lower(const Datatype& type) {
    if (type.size() == 0) return {};
    if (type.scalar()) return {0, type.size(), -1};
    const auto known = lowered_.find(&type);
    if (known != lowered_.end()) return known->second;
    std::vector<Piece> pieces;
    for_each_run(type, [&](const BlockRun& p) {
      Piece piece = lower(*p.inner);
      if (piece.size == 0) return true;
      piece = repeat(repeat(piece, p.blocklength, p.inner->extent()), p.count, p.stride);
      piece.offset += p.offset;
      append(pieces, piece);
      return true;
    });
    const Piece whole = join(pieces);
    lowered_.emplace(&type, whole);
    return whole;
  }

 private:
  Piece repeat(Piece one, std::int64_t count, std::int64_t stride) {
    if (count == 1) return one;
    if (one.block() && stride == one.size) return {one.offset, one.size * count, -1};
    if (!one.block()) {
      const Layout::Node inner = out_.nodes[static_cast<std::size_t>(one.node)];
      if (inner.kind == Kind::loop && stride == inner.count * inner.stride)
        return loop(one.offset, inner.count * count, inner.stride, inner.child_size, inner.child);
    }
    return loop(one.offset, count, stride, one.size, one.node);
  }

  static void append(std::vector<Piece>& pieces, const Piece& next) {
    if (!pieces.empty()) {
      Piece& last = pieces.back();
      if (last.block() && next.block() && last.offset + last.size == next.offset) {
        last.size += next.size;
        return;
      }
    }
    pieces.push_back(next);
  }

  Piece join(const std::vector<Piece>& pieces) {
    const Piece& first = pieces.front();
    if (pieces.size() == 1) return first;
    const bool equal = std::all_of(pieces.begin(), pieces.end(), [&](const Piece& p) {
      return p.node == first.node && p.size == first.size;
    });
    if (equal) {
      const std::int64_t stride = pieces[1].offset - first.offset;
      bool regular = true;
      for (std::size_t i = 1; i < pieces.size() && regular; ++i)
        regular = pieces[i].offset - pieces[i - 1].offset == stride;
      if (regular) return repeat(first, static_cast<std::int64_t>(pieces.size()), stride);
      return listed(Kind::scattered, pieces);
    }
    const bool blocks = std::all_of(pieces.begin(), pieces.end(), [](const Piece& p) { return p.block(); });
    return listed(blocks ? Kind::blocks : Kind::sequence, pieces);
  }

  Piece loop(std::int64_t offset, std::int64_t count, std::int64_t stride, std::int64_t child_size,
             std::int32_t child) {
    Layout::Node node;
    node.count = count;
    node.stride = stride;
    node.child_size = child_size;
    node.child = child;
    node.size = count * child_size;
    // Equal loops are one node: a list of a million equal vectors then joins to a table of offsets.
    const auto [known, is_new] = loops_.try_emplace({count, stride, child_size, child}, next_node());
    return is_new ? add(node, offset) : Piece{offset, node.size, known->second};
  }

  Piece listed(Kind kind, const std::vector<Piece>& pieces) {
    Layout::Node node;
    node.kind = kind;
    node.count = static_cast<std::int64_t>(pieces.size());
    node.child_size = pieces.front().size;
    node.child = pieces.front().node;
    node.first_row = static_cast<std::int64_t>(out_.table.size());
    for (const Piece& p : pieces) {
      out_.table.push_back(p.offset);
      if (kind != Kind::scattered) out_.table.push_back(node.size);
      if (kind == Kind::sequence) out_.table.push_back(p.node);
      node.size += p.size;
    }
    return add(node, 0);
  }

  std::int32_t next_node() const {
    SKEIN_CHECK(out_.nodes.size() < INT32_MAX, "a datatype of %zu different parts", out_.nodes.size());
    return static_cast<std::int32_t>(out_.nodes.size());
  }

  Piece add(const Layout::Node& node, std::int64_t offset) {
    const Piece piece{offset, node.size, next_node()};
    out_.nodes.push_back(node);
    return piece;
  }

  Layout& out_;
  std::unordered_map<const Datatype*, Piece> lowered_;
  using LoopKey = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int32_t>;
  std::map<LoopKey, std::int32_t> loops_;  // (count, stride, child size, child) -> node
};

}  // namespace

void compile_layout(const Datatype& type, Layout& out) {
  Layout draft(std::pmr::new_delete_resource());
  draft.root = Compiler(draft).lower(type);
  out.root = draft.root;
  out.nodes = draft.nodes;  // into exactly as much memory of `out` as the finished layout needs
  out.table = draft.table;
}

}  // namespace skein::vmpi
