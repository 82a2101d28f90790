// SPDX-License-Identifier: Apache-2.0
#include "scenario.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hashed.hpp"

namespace graph {
namespace {

constexpr double spot_radius = 0.15;  // of the cube's side

/// Divides the weights by their mean.
void bring_to_mean(std::vector<double>& weights) {
  const double mean =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  for (double& weight : weights) weight /= mean;
}

double factor(const std::string& kind, const Point& x, const Point& centre, double drawn) {
  if (kind == "gradient") return x[0];
  if (kind == "halves") return x[0] < 0.5f ? 1 : 0;
  if (kind == "random") return drawn * drawn * drawn * drawn;
  if (kind == "even") return 0;
  double squared = 0;
  for (std::size_t d = 0; d < 3; ++d) squared += (x[d] - centre[d]) * (x[d] - centre[d]);
  return std::exp(-squared / (2 * spot_radius * spot_radius));
}

/// Gives [first, end) of `order` to `count` processes from `process` on, by cuts across the longest side.
void bisect(const Graph& graph, std::span<Vertex> order, int process, int count, double skew,
            std::uint64_t seed, std::vector<int>& owner) {
  if (count == 1) {
    for (const Vertex v : order) owner[v] = process;
    return;
  }
  std::size_t across = 0;
  float longest = -1;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto [least, most] = std::ranges::minmax(order, {}, [&](Vertex v) { return graph.position[v][d]; });
    const float side = order.empty() ? 0 : graph.position[most][d] - graph.position[least][d];
    if (side > longest) longest = side, across = d;
  }
  const int left = count / 2;
  const double even = static_cast<double>(left) / count,
               off = skew * (hashed(seed, process * 4099ull + count) - 0.5);
  const auto cut =
      static_cast<std::size_t>(std::clamp(even * (1 + off), 0.0, 1.0) * static_cast<double>(order.size()));
  std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(cut), {},
                           [&](Vertex v) { return std::pair(graph.position[v][across], v); });
  bisect(graph, order.first(cut), process, left, skew, seed, owner);
  bisect(graph, order.subspan(cut), process + left, count - left, skew, seed, owner);
}

std::vector<int> boxes(const Graph& graph, int processes, double skew, std::uint64_t seed) {
  std::vector<int> owner(graph.size());
  std::vector<Vertex> order(graph.size());
  std::iota(order.begin(), order.end(), Vertex{0});
  bisect(graph, order, 0, processes, skew, seed, owner);
  return owner;
}

/// Assigns vertices in the order of numbers. `share(p)`: the share of process p, in any unit.
template <class Share>
std::vector<int> blocks(const Graph& graph, int processes, Share share) {
  double sum = 0;
  for (int p = 0; p < processes; ++p) sum += share(p);
  std::vector<int> owner(graph.size());
  double up_to = 0;
  std::size_t v = 0;
  for (int p = 0; p < processes; ++p) {
    up_to += share(p) / sum * static_cast<double>(graph.size());
    while (v < graph.size() && (p + 1 == processes || static_cast<double>(v) + 0.5 <= up_to)) owner[v++] = p;
  }
  return owner;
}

}  // namespace

std::vector<double> make_weights(const std::string& kind, const Graph& graph, double contrast,
                                 std::uint64_t seed) {
  if (graph.position.empty() && kind != "even" && kind != "random")
    throw std::invalid_argument("--weights " + kind +
                                " needs positions: give --positions FILE, or take even or random");
  std::vector<double> weights;
  Point centre;
  for (std::size_t d = 0; d < 3; ++d) centre[d] = static_cast<float>(0.2 + 0.6 * hashed(seed + 1, d));
  if (!graph.position.empty() &&
      std::ranges::all_of(graph.position, [](const Point& x) { return x[2] == 0; }))
    centre[2] = 0;
  for (Vertex v = 0; v < graph.size(); ++v)
    weights.push_back(1 + contrast * factor(kind, graph.position.empty() ? Point{} : graph.position[v],
                                            centre, hashed(seed + 2, v)));
  bring_to_mean(weights);
  return weights;
}

std::vector<int> decompose(const std::string& kind, const Graph& graph, int processes, double skew,
                           std::uint64_t seed) {
  const auto even = [](int) { return 1.0; };
  if (kind == "scattered") {
    std::vector<int> owner(graph.size());
    for (Vertex v = 0; v < graph.size(); ++v) owner[v] = static_cast<int>(hashed(seed, v) * processes);
    return owner;
  }
  if (kind == "far")
    return blocks(graph, processes, [&](int p) {
      return p + 1 == processes ? 1 + skew : p == 0 ? 1 - skew : 1;
    });
  if (kind == "blocks" || graph.position.empty()) return blocks(graph, processes, even);
  if (kind == "skewed") return boxes(graph, processes, skew, seed);
  std::vector<int> owner = boxes(graph, processes, 0, seed);
  if (kind == "near" && processes > 1) {
    // The vertices of process 0 that are nearest to those of 1.
    Point centre{};
    double count = 0;
    for (Vertex v = 0; v < graph.size(); ++v)
      if (owner[v] == 1) {
        for (std::size_t d = 0; d < 3; ++d) centre[d] += graph.position[v][d];
        ++count;
      }
    std::vector<std::pair<double, Vertex>> of_first;
    for (Vertex v = 0; v < graph.size(); ++v) {
      if (owner[v] != 0) continue;
      double squared = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        const double off = graph.position[v][d] - centre[d] / std::max(1.0, count);
        squared += off * off;
      }
      of_first.push_back({squared, v});
    }
    std::ranges::sort(of_first);
    const auto goes = static_cast<std::size_t>(skew * static_cast<double>(of_first.size()));
    for (std::size_t k = 0; k < goes; ++k) owner[of_first[k].second] = 1;
  }
  return owner;
}

double imbalance_percent(std::span<const double> weights, std::span<const int> owner, int processes) {
  std::vector<double> load(static_cast<std::size_t>(processes), 0);
  for (std::size_t v = 0; v < weights.size(); ++v) load[static_cast<std::size_t>(owner[v])] += weights[v];
  const double mean = std::accumulate(load.begin(), load.end(), 0.0) / processes;
  return mean > 0 ? 100 * (std::ranges::max(load) / mean - 1) : 0;
}

}  // namespace graph
