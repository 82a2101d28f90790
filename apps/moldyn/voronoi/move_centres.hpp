// SPDX-License-Identifier: Apache-2.0
// Moves centres for balance. Atoms follow when they settle.
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "centres.hpp"
#include "clock.hpp"

namespace moldyn {

struct Diffusion {
  double rate = 0.5;   ///< move to a neighbour with all the load of both, in distances to it
  double limit = 0.1;  ///< largest move, in distances to the next centre
};

/// Makes a step of diffusion, as ddcMD balances: each centre moves towards neighbours with more load and away
/// from those with less, so that the walls between them move to where the load is. `load`: of this process.
/// Biases stay. Collective.
std::vector<Centre> diffused(MPI_Comm comm, const std::vector<Centre>& centres, double load,
                             const Diffusion& diffusion, Clock& clock);

/// Returns the instructions of a step of diffusion on a process with `neighbours` neighbours.
double diffusion_cost(std::size_t processes, std::size_t neighbours);

struct SampledAtom {
  Vec3 x;
  double load = 0;
};

struct Koradi {
  int steps = 60;           ///< at most
  double rate = 0.3;        ///< fraction of a difference of loads that a step tries to remove
  double tolerance = 1.03;  ///< it ends at this multiple of the mean load
};

/// Makes all steps at once, as a global method. In each the atoms of the sample go to their owners, centres
/// to the centres of gravity of their atoms, and the bias of a centre with too little load grows. Returns the
/// centres of the step with the smallest maximum load. After R. Koradi, M. Billeter, P. Guentert, Comput.
/// Phys. Commun. 124, 2000; biases follow loads as fast as in lb/strategies/koradi.cpp. `sample`: of the
/// atoms of this process. Collective.
std::vector<Centre> koradi(MPI_Comm comm, std::vector<Centre> centres, std::span<const SampledAtom> sample,
                           const Koradi& koradi, Clock& clock);

/// Returns the instructions of all steps on a process with so large a part of the sample.
double koradi_cost(const Koradi& koradi, std::size_t processes, std::size_t sample);

}  // namespace moldyn
