// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "parameters.hpp"
#include "totals.hpp"

namespace moldyn {

/// Writes atoms in the extended XYZ format, which OVITO, VMD and ASE read: places, velocities and forces,
/// with all their digits. Throws std::runtime_error.
void write_atoms(const std::string& path, const Parameters& parameters, std::span<const FinalAtom> atoms);

}  // namespace moldyn
