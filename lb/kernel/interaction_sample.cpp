// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/interaction_sample.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <ranges>

#include "lb/kernel/random.hpp"

namespace skein::lb {
namespace {

/// Returns the depth at which rates fill the budget, in one pass from the smallest d up: hyperedges with d up
/// to the depth are surely kept, and the others share the rest of the budget.
double find_depth(std::span<const Sampled> hyperedges, double most_pins) {
  std::vector<Sampled> rising(hyperedges.begin(), hyperedges.end());
  std::ranges::stable_sort(rising, {}, &Sampled::fewest);
  std::vector<double> shared(rising.size() + 1, 0);  // sum of pins / d from index k on
  for (std::size_t k = rising.size(); k-- > 0;) shared[k] = shared[k + 1] + rising[k].pins / rising[k].fewest;
  double sure = 0;
  for (std::size_t k = 0; k < rising.size(); ++k) {
    const double depth = (most_pins - sure) / shared[k];
    if (depth < rising[k].fewest) return depth;
    sure += rising[k].pins;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<Sampled> sampled_of(const Hypergraph& hypergraph, std::size_t object_count) {
  std::vector<double> interactions(object_count, 0);
  for (const ObjectIndex i : hypergraph.pin) ++interactions[i];
  std::vector<Sampled> sampled;
  for (std::size_t h = 0; h < hypergraph.hyperedge_count(); ++h) {
    const auto pins = hypergraph.pins(h);
    const auto count_of = [&](ObjectIndex i) { return interactions[i]; };
    sampled.push_back({.pins = static_cast<double>(pins.size()),
                       .fewest = pins.empty() ? 1 : std::ranges::min(std::views::transform(pins, count_of))});
  }
  return sampled;
}

std::vector<double> sampling_rates(std::span<const Sampled> hyperedges, double most_pins) {
  const double all = std::accumulate(hyperedges.begin(), hyperedges.end(), 0.0,
                                     [](double sum, const Sampled& each) { return sum + each.pins; });
  std::vector<double> rates(hyperedges.size(), 1);
  if (all <= most_pins) return rates;
  const double depth = find_depth(hyperedges, most_pins);
  for (std::size_t h = 0; h < rates.size(); ++h) rates[h] = std::min(1.0, depth / hyperedges[h].fewest);
  return rates;
}

std::vector<std::size_t> draw_sample(std::span<const Sampled> hyperedges, std::span<const double> rates,
                                     std::uint64_t seed) {
  std::vector<std::size_t> order(hyperedges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t h) { return hyperedges[h].pins; });
  std::vector<std::size_t> kept;
  double passed = Random(seed).unit();
  for (const std::size_t h : order) {
    const double before = std::floor(passed);
    passed += rates[h];
    if (std::floor(passed) > before) kept.push_back(h);
  }
  std::ranges::sort(kept);
  return kept;
}

Hypergraph sample_hypergraph(const Hypergraph& hypergraph, std::size_t object_count, double most_pins,
                             std::uint64_t seed) {
  if (static_cast<double>(hypergraph.pin.size()) <= most_pins) return hypergraph;
  const std::vector<Sampled> sampled = sampled_of(hypergraph, object_count);
  const std::vector<double> rates = sampling_rates(sampled, most_pins);
  Hypergraph sample;
  sample.first.push_back(0);
  for (const std::size_t h : draw_sample(sampled, rates, seed)) {
    const auto pins = hypergraph.pins(h);
    sample.pin.insert(sample.pin.end(), pins.begin(), pins.end());
    sample.first.push_back(sample.pin.size());
    sample.bytes.push_back(static_cast<float>(hypergraph.bytes[h] / rates[h]));
  }
  return sample;
}

}  // namespace skein::lb
