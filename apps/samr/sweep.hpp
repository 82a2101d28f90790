// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "euler.hpp"

namespace samr {

inline constexpr int ghost_layers = 2;

/// The fluxes through the faces of a row of cells by the MUSCL-Hancock scheme (Toro, section 14.4), second
/// order in space and time: slopes of density, velocity and pressure, limited after van Leer; half a step
/// with the fluxes of each cell's own edges; HLLC. `cells` has `ghost_layers` more at each end than there are
/// cells; `fluxes`, one more. The ratio is that of the time step to the side of a cell.
void row_fluxes(std::span<const State> cells, double ratio, std::span<State> fluxes);

}  // namespace samr
