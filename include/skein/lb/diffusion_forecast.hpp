// SPDX-License-Identifier: Apache-2.0
// How diffusion will go, from the loads of the PEs alone: Algorithm 2 of Pearce et al., ICS 2012.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::lb {

/// Index k: after k steps; 0 is the present.
struct DiffusionForecast {
  std::vector<double> largest;  // largest finish time, seconds
  std::vector<double> busiest;  // load that the PE with most to do sends and receives in step k; [0] is 0
  double busiest_at_once = 0;   // the same where only the sums over all steps go over each link

  std::size_t steps() const { return largest.size() - 1; }
};

struct Spreading {
  double tolerance = 1.01;  // it ends where the largest finish time is within so much of the perfect one,
  std::size_t most_steps = 1000;  // or after so many steps
  double gamma = 1;               // the part of lb/kernel/pe_graph.hpp that goes in a step
  /// The load of an object, where load goes in each step in whole objects. What is less than half of one does
  /// not go; when nothing does any more, the forecast ends.
  double grain = 0;
};
/// As the keys of the strategy `diffusion` say.
Spreading spreading_of(const Options& diffusion);

/// Spreads `finish` over the links of `neighbours` (for each PE its neighbours, both ways) as the strategy
/// `diffusion` does, as if load could be divided at will. O(steps links).
///
/// Line 6 of the paper's algorithm adds gamma (L_i - L_ij), which carries load from PEs with little to those
/// with much: the sign is taken to be the other one. By itself it does not converge where gamma = 1 and a PE
/// has two neighbours or more, so gamma is taken of the largest part that converges on any graph.
DiffusionForecast forecast_diffusion(std::span<const std::vector<PeIndex>> neighbours, const Pes& pes,
                                     std::vector<double> finish, const Spreading& spreading);

/// In how many steps the strategy `diffusion` with these options levels the present placement:
/// convergence_steps of the paper. Infinite if not in as many as its options allow.
double convergence_steps(const Snapshot& snapshot, const Options& diffusion);

}  // namespace skein::lb
