// SPDX-License-Identifier: Apache-2.0
// Which process gets which piece, by the work of each: the two ways that N-body programs have. Pure
// functions, the same on all processes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/common/vec3.hpp"

namespace barneshut {

enum class Partition { none, costzones, orb, advisor };

/// How the advisor is asked.
struct Asking {
  std::string strategy;  ///< the one to ask; empty: its own choice
  int horizon = 0;       ///< steps that balance is expected to matter for; 0: as many as were measured
};

/// Runs of pieces in the order of keys, of equal work as far as pieces allow: J. P. Singh, C. Holt, T.
/// Totsuka, A. Gupta, J. Hennessy, "Load balancing and data locality in adaptive hierarchical N-body
/// methods", J. Parallel Distrib. Comput. 27, 118 (1995). In Morton's order, so a zone may be in two places.
std::vector<int> costzones(std::span<const std::uint64_t> work, int processes);

/// Orthogonal recursive bisection: cuts across the longest side of the pieces' places, so that both parts
/// have work for their share of the processes. J. K. Salmon, "Parallel hierarchical N-body methods", PhD
/// thesis, Caltech 1991.
std::vector<int> orb(std::span<const apps::Vec3> places, std::span<const std::uint64_t> work, int processes);

}  // namespace barneshut
