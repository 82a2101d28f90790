// SPDX-License-Identifier: Apache-2.0
// The largest of times that are known only with an error.
#pragma once
#include <span>

namespace skein::lb {

/// Returns the expected largest of the times if each has a normally distributed error of its own with the
/// standard deviation `spread`: many PEs that finish nearly last make the last one later. To 2 % of the
/// spread, for up to 10,000 equal times. O(times).
double expected_largest(std::span<const double> times, double spread);

}  // namespace skein::lb
