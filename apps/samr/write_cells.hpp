// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "director.hpp"

namespace samr {

/// Writes a line for each cell, after a head that names the columns; or, if the path is one of a picture
/// (apps/common/picture.hpp), the density, with a pixel for each of the smallest cells. Throws
/// std::runtime_error.
void write_cells(const std::string& path, double time, std::span<const FinalCell> cells);

}  // namespace samr
