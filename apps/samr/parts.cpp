// SPDX-License-Identifier: Apache-2.0
#include "parts.hpp"

#include <algorithm>
#include <tuple>

namespace samr {
namespace {

auto key(const Part& part) {
  return std::tuple(part.rows.block, part.rows.rows.first, part.rows.rows.end, part.element);
}

const BlockIndex& block_of(const Part& part) { return part.rows.block; }

}  // namespace

Span Rows::on_coarser(int side, int n) const {
  const Span fine = along(side, n);
  const int half = block[2 - axis_of(side)] % 2;  // of the coarser block's side
  return {(half * n + fine.first) / 2, (half * n + fine.end) / 2};
}

// Slopes along the side need one cell more at each end, where there is one.
Span Rows::needed(int side, Beyond::Kind beyond, int n) const {
  if (beyond != Beyond::Kind::coarser) return along(side, n);
  const Span inner = on_coarser(side, n);
  return common({inner.first - 1, inner.end + 1}, {0, n});
}

Parts::Parts(std::vector<Part> parts) : parts_(std::move(parts)) { std::ranges::sort(parts_, {}, key); }

bool Parts::operator==(const Parts& other) const {
  return std::ranges::equal(parts_, other.parts_, {}, key, key);
}

void Parts::keep_leaves(const Mesh& mesh) {
  std::erase_if(parts_, [&](const Part& part) { return !mesh.is_leaf(block_of(part)); });
}

std::vector<Part> Parts::of(const BlockIndex& block, int n) const {
  const auto first = std::ranges::lower_bound(parts_, block, {}, block_of);
  const auto end = std::ranges::upper_bound(parts_, block, {}, block_of);
  if (first == end) return {{{block, {0, n}}, block}};
  return {first, end};
}

BandsBeyond bands_beyond(const Mesh& mesh, const Parts& parts, const Rows& rows, int side, int n) {
  BandsBeyond found;
  if (rows.has_seam(side, n)) {
    found.kind = Beyond::Kind::same;
    const int edge = is_upper(side) ? rows.rows.end : rows.rows.first;
    for (const Part& part : parts.of(rows.block, n))
      if ((is_upper(side) ? part.rows.rows.first : part.rows.rows.end) == edge) found.parts.push_back(part);
    return found;
  }
  const Beyond beyond = mesh.beyond(rows.block, side);
  found.kind = beyond.kind;
  const std::size_t blocks = beyond.kind == Beyond::Kind::wall    ? 0
                             : beyond.kind == Beyond::Kind::finer ? 2
                                                                  : 1;
  for (std::size_t i = 0; i < blocks; ++i)
    for (const Part& part : parts.of(beyond.blocks[i], n))
      if (!part.rows.has_seam(opposite(side), n)) found.parts.push_back(part);
  return found;
}

}  // namespace samr
