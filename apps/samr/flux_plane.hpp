// SPDX-License-Identifier: Apache-2.0
// Fluxes at the ends of a level: the coarser level takes the fluxes of the finer level there, which are the
// better ones (M. J. Berger, P. Colella, J. Comput. Phys. 82, 1989, section 3).
#pragma once

#include "solver.hpp"

namespace samr {

/// Fluxes through a side of a finer box, by the cells of the coarser level just outside of it.
struct FluxPlane {
  std::int32_t side = 0;  ///< of the finer box
  Field flux;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& side& flux;
  }
};
using FluxPlanes = std::vector<FluxPlane>;

/// Return the parts of planes that are in a box of coarser cells, and those at the sides of a box of finer
/// cells.
FluxPlanes inside(const FluxPlanes& planes, const Box& coarse);
FluxPlanes beside(const FluxPlanes& planes, const Box& fine);

/// Returns the fluxes of a step of the coarser level.
FluxPlane coarse_fluxes(const Step& step, int side, const Box& cells);
/// Adds the fluxes of a step of the finer level, means over the four faces, as a part of a step of the
/// coarser level.
void add_fine_fluxes(FluxPlane& plane, const Step& step);

/// Corrects the coarser cells that are in `finer` and in one of `coarser`. The order of planes does not
/// matter.
void correct(Field& cells, const FluxPlanes& coarser, FluxPlanes finer, double ratio);

}  // namespace samr
