// SPDX-License-Identifier: Apache-2.0
// Confidence intervals of a mean, and of a difference of means of paired samples.
#pragma once
#include <span>

namespace skein::tune {

struct Mean {
  double value = 0;
  double half_width = 0;  // of the 95 % interval; 0 with one value
};

Mean mean_of(std::span<const double> values);

/// Returns true if the 95 % interval of the mean of b - a holds zero; with one sample, if both are equal.
bool can_be_equal(std::span<const double> a, std::span<const double> b);

}  // namespace skein::tune
