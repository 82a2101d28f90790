// SPDX-License-Identifier: Apache-2.0
// Cells that do not divide by the ranks: whose they are in the fine run and in the coarse one.
#include <algorithm>
#include <string>

#include "skein/lb/coarsen.hpp"

namespace skein::trace {
namespace {

using Shares = std::vector<std::pair<ObjectIndex, double>>;

/// Where the part of each place begins, and the end: as even as can be, the first ones one cell longer.
std::vector<std::uint64_t> begins_of(std::uint32_t cells, std::uint32_t places) {
  std::vector<std::uint64_t> begins{0};
  for (std::uint32_t place = 0; place < places; ++place)
    begins.push_back(begins.back() + cells / places + (place < cells % places));
  return begins;
}

/// In one dimension: of each fine place, the coarse ones that have its cells.
std::vector<Shares> shares_along(std::uint32_t cells, std::uint32_t fine, std::uint32_t coarse) {
  const std::vector<std::uint64_t> from = begins_of(cells, fine), to = begins_of(cells, coarse);
  std::vector<Shares> shares(fine);
  ObjectIndex first = 0;  // that ends behind the beginning of the fine place
  for (std::uint32_t place = 0; place < fine; ++place) {
    while (to[first + 1] <= from[place]) ++first;
    for (ObjectIndex there = first; there < coarse && to[there] < from[place + 1]; ++there) {
      const std::uint64_t common =
          std::min(from[place + 1], to[there + 1]) - std::max(from[place], to[there]);
      shares[place].emplace_back(
          there, static_cast<double>(common) / static_cast<double>(from[place + 1] - from[place]));
    }
  }
  return shares;
}

/// The ranks of one more dimension, which runs faster than those before.
std::vector<Shares> product(const std::vector<Shares>& before, const std::vector<Shares>& along,
                            std::uint32_t coarse) {
  std::vector<Shares> all;
  for (const Shares& outer : before)
    for (const Shares& inner : along) {
      Shares& shares = all.emplace_back();
      for (const auto& [block, part] : outer)
        for (const auto& [place, of_it] : inner) shares.emplace_back(block * coarse + place, part * of_it);
    }
  return all;
}

}  // namespace

CoarseMap map_cells(std::span<const std::uint32_t> fine, std::span<const std::uint32_t> coarse,
                    std::span<const std::uint32_t> cells, std::size_t objects) {
  CoarseMap map = map_grid(fine, coarse, objects);
  if (cells.empty()) return map;
  if (cells.size() != fine.size())
    throw TraceError("there are cells of " + std::to_string(cells.size()) + " dimensions, but ranks of " +
                     std::to_string(fine.size()) + "; name the cells in each dimension that is cut");
  map.shares = {{{0, 1.0}}};
  for (std::size_t d = 0; d < fine.size(); ++d) {
    if (cells[d] < fine[d])
      throw TraceError(std::to_string(cells[d]) + " cells cannot be cut for " + std::to_string(fine[d]) +
                       " ranks; name the cells of the program's grid in each dimension");
    map.shares = product(map.shares, shares_along(cells[d], fine[d], coarse[d]), coarse[d]);
  }
  return map;
}

}  // namespace skein::trace
