// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/couple.hpp"

#include <numeric>

#include "skein/lb/metrics.hpp"

namespace skein::advisor {
namespace {

std::vector<double> relative(std::span<const double> loads) {
  const double mean = std::accumulate(loads.begin(), loads.end(), 0.0) / static_cast<double>(loads.size());
  std::vector<double> result(loads.begin(), loads.end());
  for (double& load : result) load = mean > 0 ? load / mean : 0;
  return result;
}

LoadMoments moments(std::span<const double> relative_loads) {
  return {lb::percent_imbalance(relative_loads), lb::standard_deviation(relative_loads),
          lb::skewness(relative_loads), lb::kurtosis(relative_loads)};
}

}  // namespace

std::vector<double> couple(std::span<const AdvisorElement> elements, double seconds) {
  double weight = 0;
  for (const AdvisorElement& element : elements) weight += element.weight;
  std::vector<double> loads;
  for (const AdvisorElement& element : elements)
    loads.push_back(weight > 0 ? seconds * element.weight / weight
                               : seconds / static_cast<double>(elements.size()));
  return loads;
}

ModelQuality quality(std::span<const double> modelled, std::span<const double> measured) {
  const std::vector<double> model = relative(modelled), real = relative(measured);
  return {moments(model), moments(real), lb::rank_correlation(model, real), lb::rmse(model, real)};
}

}  // namespace skein::advisor
