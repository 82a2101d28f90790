// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// The part of the difference of their finish times that goes, as load, over the link of two PEs in one step
/// of diffusion with gamma = 1. These are the weights of Metropolis chains, which converge on any graph.
inline double link_weight(double speed_of_p, double speed_of_q, std::size_t neighbours_of_p,
                          std::size_t neighbours_of_q) {
  return std::min(speed_of_p, speed_of_q) /
         (1 + static_cast<double>(std::max(neighbours_of_p, neighbours_of_q)));
}

/// The load that goes from PE p to its neighbour q in one step of diffusion (negative: from q to p), where
/// they have so many neighbours and finish then.
inline double link_flow(const Pes& pes, PeIndex p, PeIndex q, std::size_t neighbours_of_p,
                        std::size_t neighbours_of_q, double finish_of_p, double finish_of_q) {
  return link_weight(pes.speed[p], pes.speed[q], neighbours_of_p, neighbours_of_q) *
         (finish_of_p - finish_of_q);
}

}  // namespace skein::lb
