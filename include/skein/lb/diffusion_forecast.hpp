// SPDX-License-Identifier: Apache-2.0
// How diffusion will go, from the loads of the PEs alone: Algorithm 2 of Pearce et al., ICS 2012.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

// Index k: after k steps; 0 is the present.
struct DiffusionForecast {
  std::vector<double> largest;  // largest finish time, seconds
  std::vector<double> busiest;  // load that the PE with most to do sends and receives in step k; [0] is 0
  double busiest_at_once = 0;   // the same where only the sums over all steps go over each link

  std::size_t steps() const { return largest.size() - 1; }
};

// Spreads `finish` over the links of `neighbours` (for each PE its neighbours, both ways) as the strategy
// `diffusion` does, as if load could be divided at will, until the largest finish time is within `tolerance`
// of the perfect one, for `most_steps` at most. O(steps links).
DiffusionForecast forecast_diffusion(std::span<const std::vector<PeIndex>> neighbours, const Pes& pes,
                                     std::vector<double> finish, double tolerance, std::size_t most_steps);

}  // namespace skein::lb
