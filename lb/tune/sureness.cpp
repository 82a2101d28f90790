// SPDX-License-Identifier: Apache-2.0
#include "lb/tune/sureness.hpp"

#include <cmath>
#include <vector>

#include "skein/lb/tune.hpp"

namespace skein::tune {
namespace {

/// Student's t, 97.5 % points for 1 to 30 degrees of freedom (M. Abramowitz, I. Stegun, table 26.10).
constexpr double kPointsOfT[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                 2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                 2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};

double t_point(std::size_t degrees) {
  if (degrees <= std::size(kPointsOfT)) return kPointsOfT[degrees - 1];
  // Expansion in 1/degrees (26.7.5) to its second term, right to three digits from 30 on.
  const double z = 1.959964;
  const double n = static_cast<double>(degrees);
  return z + (z * z * z + z) / (4 * n);
}

}  // namespace

double half_width_95(double standard_deviation, std::size_t values) {
  if (values < 2) return 0;
  return t_point(values - 1) * standard_deviation / std::sqrt(static_cast<double>(values));
}

Mean mean_of(std::span<const double> values) {
  if (values.empty()) return {};
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double degrees = static_cast<double>(values.size() - 1);
  return {mean, values.size() < 2 ? 0 : half_width_95(std::sqrt(squares / degrees), values.size())};
}

bool can_be_equal(std::span<const double> a, std::span<const double> b) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) differences.push_back(b[i] - a[i]);
  const Mean difference = mean_of(differences);
  return std::abs(difference.value) <= difference.half_width;
}

}  // namespace skein::tune
