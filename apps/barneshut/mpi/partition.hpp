// SPDX-License-Identifier: Apache-2.0
// Assigns pieces to processes by the work of each, in the two ways that N-body programs have. Pure functions,
// with equal results on all processes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/common/vec3.hpp"

namespace barneshut {

enum class Partition { none, costzones, orb, advisor };

/// Options for asking the advisor.
struct Asking {
  std::string strategy;  ///< the one to ask; empty: its own choice
  int horizon = 0;       ///< steps for which balance is expected to matter; 0: as many as were measured
};

/// Assigns runs of pieces in the order of keys, of equal work as far as pieces allow: J. P. Singh, C. Holt,
/// T. Totsuka, A. Gupta, J. Hennessy, "Load balancing and data locality in adaptive hierarchical N-body
/// methods", J. Parallel Distrib. Comput. 27, 118 (1995). The order is Morton's, so a zone may consist of two
/// separate parts.
std::vector<int> costzones(std::span<const std::uint64_t> work, int processes);

/// Assigns pieces by orthogonal recursive bisection: cuts across the longest side of the pieces' places, so
/// that both parts have work for their share of the processes. J. K. Salmon, "Parallel hierarchical N-body
/// methods", PhD thesis, Caltech 1991.
std::vector<int> orb(std::span<const apps::Vec3> places, std::span<const std::uint64_t> work, int processes);

}  // namespace barneshut
