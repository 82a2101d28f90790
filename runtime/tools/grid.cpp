// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/grid.hpp"

#include <charconv>

#include "runtime/base/error.hpp"

namespace skein::tools {
namespace {

constexpr std::uint32_t kMost = 1 << 24;
constexpr std::size_t kMostDimensions = 8;

}  // namespace

Grid parse_grid(std::string_view text) {
  Grid grid;
  for (std::string_view rest = text; grid.size() < kMostDimensions;) {
    std::uint32_t size = 0;
    const auto [at, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
    if (error != std::errc() || size == 0 || size > kMost) break;
    grid.push_back(size);
    rest.remove_prefix(static_cast<std::size_t>(at - rest.data()));
    if (rest.empty()) return grid;
    if (rest[0] != 'x') break;
    rest.remove_prefix(1);
  }
  throw Error("'" + std::string(text) + "' is no grid; a grid is written as 16x16 or 8x8x4");
}

std::string grid_text(const Grid& grid) {
  std::string text;
  for (const std::uint32_t size : grid) text.append(text.empty() ? "" : "x").append(std::to_string(size));
  return text;
}

std::uint64_t ranks_of(const Grid& grid) {
  std::uint64_t ranks = 1;
  for (const std::uint32_t size : grid) ranks *= size;
  return ranks;
}

}  // namespace skein::tools
