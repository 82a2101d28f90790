// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "director.hpp"

namespace samr {

/// Writes a line for each cell, after a head that names the columns. Throws std::runtime_error.
void write_cells(const std::string& path, double time, std::span<const FinalCell> cells);

}  // namespace samr
