// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

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

// Rounding may put the mean of equal values an ulp above them: that is balance, not a negative imbalance.
double max_over_mean(double largest, double average) {
  return average > 0 ? std::max(0.0, (largest / average - 1) * 100) : 0;
}

// Central moments of equal values are rounding noise, and their ratios are meaningless.
bool all_equal(std::span<const double> values) {
  return std::ranges::adjacent_find(values, std::not_equal_to{}) == values.end();
}

double largest_of(std::span<const double> values) {
  return values.empty() ? 0 : *std::ranges::max_element(values);
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

double perfect_finish(const Snapshot& snapshot) {
  const Pes& pes = snapshot.pes;
  const double objects = std::accumulate(snapshot.objects.load.begin(), snapshot.objects.load.end(), 0.0);
  const double background =
      std::inner_product(pes.background_s.begin(), pes.background_s.end(), pes.speed.begin(), 0.0);
  return (objects + background) / std::accumulate(pes.speed.begin(), pes.speed.end(), 0.0);
}

double percent_imbalance(std::span<const double> loads) {
  return max_over_mean(largest_of(loads), mean(loads));
}

double percent_imbalance(const Snapshot& snapshot, std::span<const PeIndex> pe_of) {
  return max_over_mean(largest_of(finish_times(snapshot, pe_of)), perfect_finish(snapshot));
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

Movement movement(const Snapshot& snapshot, std::span<const PeIndex> pe_of) {
  Movement moved;
  for (std::size_t i = 0; i < pe_of.size(); ++i) {
    if (pe_of[i] == snapshot.objects.pe[i]) continue;
    ++moved.objects;
    moved.bytes += snapshot.objects.bytes[i];
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
      out[from] += bytes;
      in[to] += bytes;
    }
  }
  sum.max_in_bytes = largest_of(in);
  sum.max_out_bytes = largest_of(out);
  return sum;
}

}  // namespace skein::lb
