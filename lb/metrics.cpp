// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

#include "lb/kernel/held_bytes.hpp"
#include "lb/kernel/moves.hpp"

namespace skein::lb {
namespace {

double mean(std::span<const double> values) {
  return values.empty()
             ? 0
             : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double central_moment(std::span<const double> values, int order) {
  const double average = mean(values);
  double sum = 0;
  for (double value : values) sum += std::pow(value - average, order);
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

/// Rounding may put the mean of equal values an ulp above them: that is balance, not a negative imbalance.
double max_over_mean(double largest, double average) {
  return average > 0 ? std::max(0.0, (largest / average - 1) * 100) : 0;
}

/// Detects equal values, whose central moments are rounding noise with meaningless ratios.
bool all_equal(std::span<const double> values) {
  return std::ranges::adjacent_find(values, std::not_equal_to{}) == values.end();
}

double largest_of(std::span<const double> values) {
  return values.empty() ? 0 : *std::ranges::max_element(values);
}

void check_same_length(std::span<const double> model, std::span<const double> measured) {
  if (model.size() == measured.size()) return;
  throw std::invalid_argument("a model of " + std::to_string(model.size()) + " elements against " +
                              std::to_string(measured.size()) + " measured ones");
}

/// Returns the rank of each value, from 1; equal values share the mean of their ranks.
std::vector<double> ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> result(values.size());
  for (std::size_t first = 0, end; first < order.size(); first = end) {
    for (end = first + 1; end < order.size() && values[order[end]] == values[order[first]];) ++end;
    const double shared = static_cast<double>(first + 1 + end) / 2;
    for (std::size_t k = first; k < end; ++k) result[order[k]] = shared;
  }
  return result;
}

}  // namespace

std::vector<double> finish_times(const Snapshot& snapshot, std::span<const PeIndex> pe_of) {
  std::vector<double> finish(snapshot.pe_count(), 0);
  for (std::size_t i = 0; i < pe_of.size(); ++i) finish[pe_of[i]] += snapshot.objects.load[i];
  for (std::size_t p = 0; p < finish.size(); ++p) {
    finish[p] = snapshot.pes.background_s[p] + finish[p] / snapshot.pes.speed[p];
  }
  return finish;
}

std::vector<double> finish_times(const Snapshot& snapshot, const Decision& decision) {
  std::vector<double> finish = finish_times(snapshot, decision.pe_of);
  for (const Split& split : decision.splits) {
    const double part = split.fraction * snapshot.objects.load[split.object];
    const PeIndex rest_on = decision.pe_of[split.object];
    finish[split.pe] += part / snapshot.pes.speed[split.pe];
    finish[rest_on] -= part / snapshot.pes.speed[rest_on];
  }
  return finish;
}

double largest_finish(const Snapshot& snapshot, std::span<const PeIndex> pe_of) {
  return std::ranges::max(finish_times(snapshot, pe_of));
}

double perfect_finish(const Snapshot& snapshot) {
  const Pes& pes = snapshot.pes;
  const double objects = std::accumulate(snapshot.objects.load.begin(), snapshot.objects.load.end(), 0.0);
  const double background =
      std::inner_product(pes.background_s.begin(), pes.background_s.end(), pes.speed.begin(), 0.0);
  return (objects + background) / std::accumulate(pes.speed.begin(), pes.speed.end(), 0.0);
}

double perfect_finish(const Pes& pes, std::span<const double> finish) {
  return std::inner_product(finish.begin(), finish.end(), pes.speed.begin(), 0.0) /
         std::accumulate(pes.speed.begin(), pes.speed.end(), 0.0);
}

double percent_imbalance(std::span<const double> loads) {
  return max_over_mean(largest_of(loads), mean(loads));
}

double percent_imbalance(std::span<const double> finish, double perfect) {
  return max_over_mean(largest_of(finish), perfect);
}

double percent_imbalance(const Snapshot& snapshot, std::span<const PeIndex> pe_of) {
  return percent_imbalance(finish_times(snapshot, pe_of), perfect_finish(snapshot));
}

double standard_deviation(std::span<const double> loads) { return std::sqrt(central_moment(loads, 2)); }

double skewness(std::span<const double> loads) {
  if (all_equal(loads)) return 0;
  return central_moment(loads, 3) / std::pow(central_moment(loads, 2), 1.5);
}

double kurtosis(std::span<const double> loads) {
  if (all_equal(loads)) return 0;
  const double variance = central_moment(loads, 2);
  return central_moment(loads, 4) / (variance * variance) - 3;
}

double rank_correlation(std::span<const double> model, std::span<const double> measured) {
  check_same_length(model, measured);
  if (all_equal(model) || all_equal(measured)) return 0;
  const std::vector<double> a = ranks(model), b = ranks(measured);
  const double middle = (static_cast<double>(a.size()) + 1) / 2;  // the mean of all ranks, shared or not
  double product = 0, squares_a = 0, squares_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += (a[i] - middle) * (b[i] - middle);
    squares_a += (a[i] - middle) * (a[i] - middle);
    squares_b += (b[i] - middle) * (b[i] - middle);
  }
  return product / (std::sqrt(squares_a) * std::sqrt(squares_b));
}

double rmse(std::span<const double> model, std::span<const double> measured) {
  check_same_length(model, measured);
  if (model.empty()) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < model.size(); ++i) sum += (model[i] - measured[i]) * (model[i] - measured[i]);
  return std::sqrt(sum / static_cast<double>(model.size()));
}

namespace {

/// Returns the root of equation 2 of Lan et al. for one step.
double deviation_of_ratio(std::span<const double> loads, double average) {
  const double largest = largest_of(loads);
  double squares = 0;
  for (double load : loads) {
    if (load == 0) continue;
    const double term = (largest - load) / load - (largest - load) / average;
    squares += term * term;
  }
  return loads.size() > 1 ? std::sqrt(squares / static_cast<double>(loads.size() - 1)) : 0;
}

}  // namespace

Utilisation utilisation(std::span<const std::vector<double>> steps) {
  Utilisation sum{0, 0, 0};
  double loaded_steps = 0;
  for (const std::vector<double>& loads : steps) {
    const double average = mean(loads);
    if (!(average > 0)) continue;
    ++loaded_steps;
    sum.imbalance_ratio += largest_of(loads) / average;
    sum.average_deviation += deviation_of_ratio(loads, average);
    sum.idle_percentage +=
        100 * static_cast<double>(std::ranges::count(loads, 0.0)) / static_cast<double>(loads.size());
  }
  if (loaded_steps == 0) return {};
  return {sum.imbalance_ratio / loaded_steps, sum.average_deviation / loaded_steps,
          sum.idle_percentage / loaded_steps};
}

std::vector<std::uint64_t> held_bytes(const Snapshot& snapshot, std::span<const PeIndex> pe_of) {
  return HeldBytes(snapshot, pe_of).of_pe();
}

double away_bytes(const Snapshot& snapshot, std::span<const PeIndex> pe_of) {
  double sum = 0;
  const HeldBytes held(snapshot, pe_of);
  for (const auto& [at, readers] : held.readers())
    if (const auto& [pe, block] = at; snapshot.blocks.home[block] != pe)
      sum += static_cast<double>(snapshot.blocks.bytes[block]);
  return sum;
}

Movement movement(const Snapshot& snapshot, std::span<const PeIndex> pe_of, std::span<const Split> splits) {
  struct OfPe {
    std::uint64_t in_objects, out_objects, in_bytes, out_bytes;
  };
  std::vector<OfPe> of_pe(snapshot.pe_count(), OfPe{});
  Movement moved;
  for_each_move(snapshot, pe_of, splits, [&](PeIndex from, PeIndex to, std::uint64_t bytes) {
    ++moved.objects;
    moved.bytes += bytes;
    ++of_pe[from].out_objects;
    ++of_pe[to].in_objects;
    of_pe[from].out_bytes += bytes;
    of_pe[to].in_bytes += bytes;
  });
  for (const OfPe& pe : of_pe) {
    moved.max_in_objects = std::max(moved.max_in_objects, pe.in_objects);
    moved.max_out_objects = std::max(moved.max_out_objects, pe.out_objects);
    moved.max_in_bytes = std::max(moved.max_in_bytes, pe.in_bytes);
    moved.max_out_bytes = std::max(moved.max_out_bytes, pe.out_bytes);
  }
  return moved;
}

double Communication::remote_to_local() const {
  if (remote_bytes == 0) return 0;
  return local_bytes > 0 ? remote_bytes / local_bytes : std::numeric_limits<double>::infinity();
}

Communication communication(const Snapshot& snapshot, std::span<const PeIndex> pe_of) {
  const CommGraph& graph = snapshot.graph;
  Communication sum;
  if (graph.empty()) return sum;
  std::vector<double> in(snapshot.pe_count(), 0), out(snapshot.pe_count(), 0);
  for (std::size_t i = 0; i < pe_of.size(); ++i) {
    for (std::uint64_t e = graph.first[i]; e < graph.first[i + 1]; ++e) {
      const PeIndex from = pe_of[i], to = pe_of[graph.to[e]];
      const double bytes = graph.bytes[e];
      if (from == to) {
        sum.local_bytes += bytes;
        continue;
      }
      sum.remote_bytes += bytes;
      ++sum.cut_edges;
      out[from] += bytes;
      in[to] += bytes;
    }
  }
  sum.max_in_bytes = largest_of(in);
  sum.max_out_bytes = largest_of(out);
  return sum;
}

Connectivity connectivity(const Snapshot& snapshot, std::span<const PeIndex> pe_of) {
  const Hypergraph& hypergraph = snapshot.hypergraph;
  Connectivity sum;
  std::vector<std::size_t> reached_by(snapshot.pe_count(), hypergraph.hyperedge_count());
  for (std::size_t h = 0; h < hypergraph.hyperedge_count(); ++h) {
    std::size_t reached = 0;
    for (const ObjectIndex i : hypergraph.pins(h)) {
      reached += reached_by[pe_of[i]] != h;
      reached_by[pe_of[i]] = h;
    }
    if (reached < 2) continue;
    sum.cut_bytes += static_cast<double>(hypergraph.bytes[h]) * static_cast<double>(reached - 1);
    ++sum.cut_hyperedges;
  }
  return sum;
}

}  // namespace skein::lb
