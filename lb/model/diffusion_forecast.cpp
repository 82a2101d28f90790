// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/diffusion_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lb/kernel/pe_graph.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {

Spreading spreading_of(const Options& diffusion) {
  return {.tolerance = diffusion.real("tolerance"),
          .most_steps = static_cast<std::size_t>(diffusion.integer("steps")),
          .gamma = diffusion.real("gamma")};
}

DiffusionForecast forecast_diffusion(std::span<const std::vector<PeIndex>> neighbours, const Pes& pes,
                                     std::vector<double> finish, const Spreading& spreading) {
  const double limit = spreading.tolerance * perfect_finish(pes, finish);
  DiffusionForecast forecast{{std::ranges::max(finish)}, {0}, 0};
  std::vector<std::vector<double>> sums(neighbours.size());
  for (std::size_t p = 0; p < neighbours.size(); ++p) sums[p].assign(neighbours[p].size(), 0);

  std::vector<double> next = finish;
  for (std::size_t step = 0; step < spreading.most_steps && forecast.largest.back() > limit; ++step) {
    double busiest = 0;
    for (PeIndex p = 0; p < neighbours.size(); ++p) {
      double handled = 0;
      for (std::size_t k = 0; k < neighbours[p].size(); ++k) {
        const PeIndex q = neighbours[p][k];
        const double load = spreading.gamma * link_flow(pes, p, q, neighbours[p].size(), neighbours[q].size(),
                                                        finish[p], finish[q]);
        if (std::abs(load) < spreading.grain / 2) continue;
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

double convergence_steps(const Snapshot& snapshot, const Options& diffusion) {
  const std::vector<double> finish = finish_times(snapshot, snapshot.objects.pe);
  const Spreading spreading = spreading_of(diffusion);
  const DiffusionForecast forecast =
      forecast_diffusion(make_pe_graph(diffusion.choice("graph"), snapshot), snapshot.pes, finish, spreading);
  const bool level = forecast.largest.back() <= spreading.tolerance * perfect_finish(snapshot);
  return level ? static_cast<double>(forecast.steps()) : std::numeric_limits<double>::infinity();
}

}  // namespace skein::lb
