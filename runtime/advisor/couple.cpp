// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/couple.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

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

Advice staying(std::span<const double> modelled, std::span<const double> measured) {
  Advice advice;
  advice.model = quality(modelled, measured);
  advice.imbalance_percent = advice.imbalance_after_percent = advice.model.measured.imbalance_percent;
  advice.strategy = "none";
  return advice;
}

Advice with_places(Advice advice, const lb::Assignment& pe_of, std::size_t first, std::size_t end) {
  advice.process.assign(pe_of.begin() + static_cast<std::ptrdiff_t>(first),
                        pe_of.begin() + static_cast<std::ptrdiff_t>(end));
  return advice;
}

Advice late_advice(Advice now, const Advice& decided, const lb::LateDrift& drift, bool dropped, bool moves) {
  now.balance = !dropped && moves;
  now.dropped = dropped;
  now.drift = {drift.work_percent,   drift.changed_percent,
               drift.change_percent, drift.imbalance_percent,
               drift.gone,           drift.come};
  now.table = decided.table;
  if (!now.balance) return now;
  now.strategy = decided.strategy;
  now.gain_s = decided.gain_s;
  now.imbalance_after_percent = drift.imbalance_percent;
  return now;
}

void scale_loads(std::vector<double>& loads, std::uint64_t steps_then, std::uint64_t steps_now) {
  const double longer = static_cast<double>(std::max<std::uint64_t>(steps_now, 1)) /
                        static_cast<double>(std::max<std::uint64_t>(steps_then, 1));
  for (double& load : loads) load *= longer;
}

}  // namespace skein::advisor
