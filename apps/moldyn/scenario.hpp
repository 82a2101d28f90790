// SPDX-License-Identifier: Apache-2.0
// The atoms at the start. They sit on sites of a face-centred cubic lattice that fills the box; chance takes
// or leaves a site according to the density there, so that no two atoms are too close. Velocities are drawn
// from Maxwell's distribution. All random numbers come from the number of the site, so that each cell makes
// its own atoms and any division into cells makes equal ones.
//
//   liquid        the whole box: every site taken
//   droplet       a ball of liquid that drifts along x through thin vapour
//   condensation  a ball of gas so dense and cold that it falls into drops
//   wire          a rod of crystal along x, half as long as the box and in its middle, that is stretched
// Balls are centred in y and z, and in the left half of the box in x.
#pragma once

#include <vector>

#include "atom.hpp"
#include "parameters.hpp"

namespace moldyn {

inline double wire_length(const Parameters& parameters) { return parameters.grid.box.x / 2; }

/// Returns the atoms of a cell, by ascending number.
std::vector<Atom> initial_atoms(const Parameters& parameters, const skein::Index3& cell);

}  // namespace moldyn
