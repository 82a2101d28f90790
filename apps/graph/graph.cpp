// SPDX-License-Identifier: Apache-2.0
#include "graph.hpp"

#include <algorithm>
#include <cmath>

#include "hashed.hpp"

namespace graph {
namespace {

struct Block {
  std::array<std::uint64_t, 3> sides;

  std::uint64_t size() const { return sides[0] * sides[1] * sides[2]; }
  std::array<std::uint64_t, 3> place(std::uint64_t v) const {
    return {v % sides[0], v / sides[0] % sides[1], v / sides[0] / sides[1]};
  }
};

std::uint64_t root(double value, double degree) {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::pow(value, 1 / degree) + 1e-9));
}

Block block_of(std::size_t vertices, bool flat) {
  const auto n = static_cast<double>(vertices);
  if (flat) {
    const std::uint64_t x = root(n, 2);
    return {{x, vertices / x, 1}};
  }
  const std::uint64_t x = root(n, 3), y = root(n / static_cast<double>(x), 2);
  return {{x, y, vertices / (x * y)}};
}

using Offset = std::array<int, 3>;

/// Returns the offsets from a vertex to its neighbours that come after it.
std::vector<Offset> forward(const std::string& kind) {
  if (kind == "mesh2d") return {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  if (kind == "mesh3d") return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  // Cubes cut into six tetrahedra round their diagonal.
  return {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
}

std::vector<Offset> both_ways(std::vector<Offset> offsets) {
  for (std::size_t k = 0, count = offsets.size(); k < count; ++k)
    offsets.push_back({-offsets[k][0], -offsets[k][1], -offsets[k][2]});
  return offsets;
}

}  // namespace

Graph make_mesh(const std::string& kind, std::size_t vertices, std::uint64_t seed) {
  const bool flat = kind == "mesh2d";
  const Block block = block_of(std::max<std::size_t>(1, vertices), flat);
  const std::vector<Offset> offsets = both_ways(forward(kind));
  const auto longest = static_cast<double>(std::ranges::max(block.sides));
  Graph graph{.first = {0}, .to = {}, .position = {}, .weight = {}};
  for (std::uint64_t v = 0; v < block.size(); ++v) {
    const std::array<std::uint64_t, 3> place = block.place(v);
    for (const Offset& offset : offsets) {
      std::uint64_t neighbour = 0, stride = 1;
      bool inside = true;
      for (std::size_t d = 0; d < 3; ++d) {
        const std::int64_t x = static_cast<std::int64_t>(place[d]) + offset[d];
        inside = inside && x >= 0 && x < static_cast<std::int64_t>(block.sides[d]);
        neighbour += static_cast<std::uint64_t>(x) * stride;
        stride *= block.sides[d];
      }
      if (inside) graph.to.push_back(static_cast<Vertex>(neighbour));
    }
    std::ranges::sort(graph.to.begin() + static_cast<std::ptrdiff_t>(graph.first.back()), graph.to.end());
    graph.first.push_back(graph.to.size());
    Point& x = graph.position.emplace_back();
    for (std::size_t d = 0; d < (flat ? 2 : 3); ++d)
      x[d] = static_cast<float>(
          (static_cast<double>(place[d]) + 0.5 + 0.6 * (hashed(seed, 3 * v + d) - 0.5)) / longest);
  }
  return graph;
}

}  // namespace graph
