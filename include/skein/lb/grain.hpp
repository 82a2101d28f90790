// SPDX-License-Identifier: Apache-2.0
// How evenly objects that cannot be divided fit on a number of PEs. Pure.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace skein::lb {

/// What the fullest of so many PEs has, in what PEs have on average: at least 1. The objects are placed
/// heaviest first, each on the PE that has least (R. L. Graham, "Bounds on multiprocessing timing anomalies",
/// SIAM Journal on Applied Mathematics 17 (1969)), which is within a third of the best. 1 where there is no
/// load. O(n log n). There must be at least one PE.
double grain(std::span<const double> loads, std::size_t pes);

/// A distribution of loads in few numbers: kQuantiles + 1 of them, from the least to the largest, evenly in
/// the order of loads. Empty of no loads.
inline constexpr std::size_t kQuantiles = 32;
std::vector<double> quantiles_of(std::vector<double> loads);
/// So many loads that are distributed so, rising; between two quantiles they rise evenly.
std::vector<double> loads_of(std::span<const double> quantiles, std::size_t count);

}  // namespace skein::lb
