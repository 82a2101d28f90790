// SPDX-License-Identifier: Apache-2.0
// How centres move for balance. Atoms follow when they settle.
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "centres.hpp"
#include "clock.hpp"

namespace moldyn {

struct Diffusion {
  double rate = 0.5;   ///< how far a centre goes to a neighbour with all the load of the two, in distances
  double limit = 0.1;  ///< how far at most, in distances to the next centre
};

/// A step of diffusion, as ddcMD balances: each centre goes towards neighbours with more load and away from
/// those with less, so that the walls between them move into where the load is. `load`: of this process.
/// Biases stay. Collective.
std::vector<Centre> diffused(MPI_Comm comm, const std::vector<Centre>& centres, double load,
                             const Diffusion& diffusion, Clock& clock);

/// Instructions of such a step on a process with so many neighbours.
double diffusion_cost(std::size_t processes, std::size_t neighbours);

struct SampledAtom {
  Vec3 x;
  double load = 0;
};

struct Koradi {
  int steps = 60;           ///< at most
  double rate = 0.3;        ///< how much of a difference of loads a step tries to remove
  double tolerance = 1.03;  ///< it ends at this multiple of the mean load
};

/// All steps at once, as a global method: in each the atoms of the sample go to their owners, centres to the
/// centres of gravity of what they own, and the bias of a centre with too little load grows. The centres of
/// the step with the least largest load. After R. Koradi, M. Billeter, P. Guentert, Comput. Phys. Commun.
/// 124, 2000; how fast biases follow loads is that of lb/strategies/koradi.cpp. `sample`: of the atoms of
/// this process. Collective.
std::vector<Centre> koradi(MPI_Comm comm, std::vector<Centre> centres, std::span<const SampledAtom> sample,
                           const Koradi& koradi, Clock& clock);

/// Instructions of all steps on a process with so large a part of the sample.
double koradi_cost(const Koradi& koradi, std::size_t processes, std::size_t sample);

}  // namespace moldyn
