// SPDX-License-Identifier: Apache-2.0
// Grids of ranks, as options write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skein::tools {

using Grid = std::vector<std::uint32_t>;

/// Parses a grid like "16x16". Throws skein::Error about the value.
Grid parse_grid(std::string_view text);

std::string grid_text(const Grid& grid);

std::uint64_t ranks_of(const Grid& grid);

}  // namespace skein::tools
