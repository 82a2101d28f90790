// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "director.hpp"
#include "particles.hpp"

namespace samr {

/// Writes a line for each cell, or a picture of the density in the middle of the domain along z. Throws
/// std::runtime_error if the file cannot be written.
void write_cells(const std::string& file, const Parameters& parameters, double time,
                 std::vector<FinalCell> cells);
/// Writes a line for each particle. Throws std::runtime_error if the file cannot be written.
void write_particles(const std::string& file, double time, Particles particles);

}  // namespace samr
