// SPDX-License-Identifier: Apache-2.0
// A forecast of diffusion from the loads of the PEs alone: Algorithm 2 of Pearce et al., ICS 2012.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::lb {

/// Values after k steps at index k; index 0 is the present.
struct DiffusionForecast {
  std::vector<double> largest;  // largest finish time, seconds
  std::vector<double> busiest;  // load that the busiest PE sends and receives in step k; [0] is 0
  double busiest_at_once = 0;   // the busiest PE's load if each link only carries the sum over all steps

  std::size_t steps() const { return largest.size() - 1; }
};

struct Spreading {
  double tolerance = 1.01;        // of the perfect finish time, at which the forecast ends,
  std::size_t most_steps = 1000;  // or after this many steps
  double gamma = 1;               // the fraction of lb/kernel/pe_graph.hpp that is exchanged in a step
  /// The load of an object if whole objects are exchanged in each step; 0: load is divisible. Less than half
  /// an object is not exchanged; the forecast ends when nothing is exchanged any more.
  double grain = 0;
};
/// Returns the settings that the keys of the strategy `diffusion` give.
Spreading spreading_of(const Options& diffusion);

/// Forecasts how the strategy `diffusion` spreads `finish` over the links of `neighbours` (for each PE its
/// neighbours, both ways), if load could be divided at will. O(steps links).
///
/// Line 6 of the paper's algorithm adds gamma (L_i - L_ij), which would carry load from PEs with little to
/// PEs with much: the sign is reversed here. With gamma = 1 the algorithm does not converge where a PE has
/// two or more neighbours, so gamma is a multiple of the largest fraction that converges on any graph.
DiffusionForecast forecast_diffusion(std::span<const std::vector<PeIndex>> neighbours, const Pes& pes,
                                     std::vector<double> finish, const Spreading& spreading);

/// Returns in how many steps the strategy `diffusion` with these options levels the present placement:
/// convergence_steps of the paper. Infinite if its options do not allow enough steps.
double convergence_steps(const Snapshot& snapshot, const Options& diffusion);

}  // namespace skein::lb
