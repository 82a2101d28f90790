// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/grain.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>

namespace skein::lb {

double grain(std::span<const double> loads, std::size_t pes) {
  const double sum = std::accumulate(loads.begin(), loads.end(), 0.0);
  if (!(sum > 0)) return 1;
  std::vector<double> heaviest(loads.begin(), loads.end());
  std::ranges::sort(heaviest, std::greater());
  std::priority_queue<double, std::vector<double>, std::greater<>> of_pe(
      std::greater<>(), std::vector<double>(std::min(pes, heaviest.size()), 0.0));
  double fullest = 0;
  for (const double load : heaviest) {
    const double filled = of_pe.top() + load;
    of_pe.pop();
    of_pe.push(filled);
    fullest = std::max(fullest, filled);
  }
  return std::max(1.0, fullest * static_cast<double>(pes) / sum);
}

namespace {

/// Interpolates linearly between the values. `at` is from 0 to 1.
double value_at(std::span<const double> rising, double at) {
  const double place = at * static_cast<double>(rising.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= rising.size()) return rising.back();
  return std::lerp(rising[below], rising[below + 1], place - static_cast<double>(below));
}

std::vector<double> spread_over(std::span<const double> rising, std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t k = 0; k < count; ++k)
    values[k] = value_at(rising, count == 1 ? 0.5 : static_cast<double>(k) / static_cast<double>(count - 1));
  return values;
}

}  // namespace

std::vector<double> quantiles_of(std::vector<double> loads) {
  if (loads.empty()) return {};
  std::ranges::sort(loads);
  return spread_over(loads, kQuantiles + 1);
}

std::vector<double> loads_of(std::span<const double> quantiles, std::size_t count) {
  if (quantiles.empty()) return {};
  return spread_over(quantiles, count);
}

}  // namespace skein::lb
