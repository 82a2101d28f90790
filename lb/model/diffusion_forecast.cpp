// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/diffusion_forecast.hpp"

#include <algorithm>
#include <cmath>

#include "lb/kernel/spread.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
DiffusionForecast forecast_diffusion(std::span<const std::vector<PeIndex>> neighbours, const Pes& pes,
                                     std::vector<double> finish, double tolerance, std::size_t most_steps,
                                     double grain) {
  const double limit = tolerance * perfect_finish(pes, finish);
  DiffusionForecast forecast{{std::ranges::max(finish)}, {0}, 0};
  std::vector<std::vector<double>> sums(neighbours.size());
  for (std::size_t p = 0; p < neighbours.size(); ++p) sums[p].assign(neighbours[p].size(), 0);

  std::vector<double> next = finish;
  for (std::size_t step = 0; step < most_steps && forecast.largest.back() > limit; ++step) {
    double busiest = 0;
    for (PeIndex p = 0; p < neighbours.size(); ++p) {
      double handled = 0;
      for (std::size_t k = 0; k < neighbours[p].size(); ++k) {
        const PeIndex q = neighbours[p][k];
        const double load =
            link_flow(pes, p, q, neighbours[p].size(), neighbours[q].size(), finish[p], finish[q]);
        if (std::abs(load) < grain / 2) continue;
        next[p] -= load / pes.speed[p];
        sums[p][k] += load;
        handled += std::abs(load);
      }
      busiest = std::max(busiest, handled);
    }
    if (busiest == 0) break;
    finish = next;
    forecast.largest.push_back(std::ranges::max(finish));
    forecast.busiest.push_back(busiest);
  }
  for (const std::vector<double>& links : sums) {
    double handled = 0;
    for (double load : links) handled += std::abs(load);
    forecast.busiest_at_once = std::max(forecast.busiest_at_once, handled);
  }
  return forecast;
}

}  // namespace skein::lb
