// SPDX-License-Identifier: Apache-2.0
// Least squares of relative errors with non-negative factors, by trying all sets of columns: there are few
// (C. L. Lawson, R. J. Hanson, "Solving Least Squares Problems", 1974, chapter 23).
#pragma once
#include <span>
#include <vector>

namespace skein::lb {

/// Returns the factors of the columns by which, in each sample i, the sum of factor x columns[k][i] comes
/// nearest to measured[i], which is above 0. Of equally good sets of columns it takes the one with fewest,
/// and of these the one whose columns come first; the factors of other columns are zero. Without samples all
/// are zero.
std::vector<double> fit_relative(const std::vector<std::vector<double>>& columns,
                                 std::span<const double> measured);

}  // namespace skein::lb
