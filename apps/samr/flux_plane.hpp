// SPDX-License-Identifier: Apache-2.0
// Fluxes where a level ends: the coarser level is to take what really went through there, as the finer level
// has it (M. J. Berger, P. Colella, J. Comput. Phys. 82, 1989, section 3).
#pragma once

#include "solver.hpp"

namespace samr {

/// Through a side of a finer box, by cells of the coarser level just outside of it.
struct FluxPlane {
  std::int32_t side = 0;  ///< of the finer box
  Field flux;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& side& flux;
  }
};
using FluxPlanes = std::vector<FluxPlane>;

/// What of planes is in a box of coarser cells, or, of a box of finer ones, at its own sides.
FluxPlanes inside(const FluxPlanes& planes, const Box& coarse);
FluxPlanes beside(const FluxPlanes& planes, const Box& fine);

/// What a step of the coarser level had there.
FluxPlane coarse_fluxes(const Step& step, int side, const Box& cells);
/// Adds what a step of the finer level had, as a part of a step of the coarser one: means over the four
/// faces.
void add_fine_fluxes(FluxPlane& plane, const Step& step);

/// Corrects the coarser cells that are in `finer` and in one of `coarser`. The order of planes does not
/// matter.
void correct(Field& cells, const FluxPlanes& coarser, FluxPlanes finer, double ratio);

}  // namespace samr
