// SPDX-License-Identifier: Apache-2.0
// How evenly indivisible objects fit on a number of PEs. Pure.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace skein::lb {

/// Returns the load of the fullest of `pes` PEs relative to the mean load of a PE: at least 1, and 1 if there
/// is no load. The objects are placed heaviest first, each on the PE with the least load (R. L. Graham,
/// "Bounds on multiprocessing timing anomalies", SIAM Journal on Applied Mathematics 17 (1969)), which is
/// within a third of the optimum. O(n log n). There must be at least one PE.
double grain(std::span<const double> loads, std::size_t pes);

/// Returns a distribution of loads as kQuantiles + 1 numbers, from the least load to the largest, at even
/// steps in the order of loads. Empty if there are no loads.
inline constexpr std::size_t kQuantiles = 32;
std::vector<double> quantiles_of(std::vector<double> loads);
/// Returns `count` loads with this distribution, rising; between two quantiles they rise evenly.
std::vector<double> loads_of(std::span<const double> quantiles, std::size_t count);

}  // namespace skein::lb
