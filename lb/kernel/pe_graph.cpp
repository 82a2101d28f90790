// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/pe_graph.hpp"

#include <algorithm>

#include "skein/lb/strategy.hpp"

namespace skein::lb {
namespace {

void link(PeGraph& graph, PeIndex a, PeIndex b) {
  if (a == b) return;
  graph[a].push_back(b);
  graph[b].push_back(a);
}

void sort_unique(std::vector<PeIndex>& neighbours) {
  std::ranges::sort(neighbours);
  neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
}

void add_mesh(std::vector<PeIndex>& neighbours, PeIndex pe, PeIndex count) {
  PeIndex rows = 1;
  for (PeIndex d = 1; std::uint64_t{d} * d <= count; ++d) {
    if (count % d == 0) rows = d;
  }
  const PeIndex columns = count / rows;
  if (pe >= columns) neighbours.push_back(pe - columns);
  if (pe % columns > 0) neighbours.push_back(pe - 1);
  if (pe % columns + 1 < columns) neighbours.push_back(pe + 1);
  if (pe + columns < count) neighbours.push_back(pe + columns);
}

void add_hypercube(std::vector<PeIndex>& neighbours, PeIndex pe, PeIndex count) {
  for (std::uint64_t bit = 1; bit < count; bit *= 2) {
    if ((pe ^ bit) < count) neighbours.push_back(static_cast<PeIndex>(pe ^ bit));
  }
}

/// Links PEs whose objects communicate. Returns by PE true if an object of it sends to another PE.
std::vector<bool> link_partners(PeGraph& graph, const Snapshot& snapshot) {
  std::vector<bool> sends(graph.size(), false);
  if (snapshot.graph.empty()) return sends;
  const std::vector<PeIndex>& pe = snapshot.objects.pe;
  for (std::size_t i = 0; i < pe.size(); ++i) {
    for (std::uint64_t e = snapshot.graph.first[i]; e < snapshot.graph.first[i + 1]; ++e) {
      link(graph, pe[i], pe[snapshot.graph.to[e]]);
      if (pe[i] != pe[snapshot.graph.to[e]]) sends[pe[i]] = true;
    }
  }
  return sends;
}

}  // namespace

std::vector<PeIndex> shape_neighbours(std::string_view shape, PeIndex pe, PeIndex count) {
  std::vector<PeIndex> neighbours;
  if (shape == "mesh") {
    add_mesh(neighbours, pe, count);
  } else if (shape == "hypercube" || shape == "known") {
    add_hypercube(neighbours, pe, count);
  } else if (count > 1) {
    neighbours = {(pe + 1) % count, (pe + count - 1) % count};
  }
  sort_unique(neighbours);
  return neighbours;
}

PeGraph make_pe_graph(std::string_view shape, const Snapshot& snapshot) {
  PeGraph graph(snapshot.pe_count());
  if (looks_at_messages(shape)) {
    if (shape == "comm" && snapshot.graph.empty())
      throw MissingData("graph=comm needs the communication graph, which was not recorded");
    const std::vector<bool> sends = link_partners(graph, snapshot);
    for (PeIndex pe = 0; shape == "known" && pe < graph.size(); ++pe) {
      if (sends[pe]) continue;
      for (const PeIndex other : shape_neighbours(shape, pe, static_cast<PeIndex>(graph.size())))
        link(graph, pe, other);
    }
    for (std::vector<PeIndex>& neighbours : graph) sort_unique(neighbours);
    return graph;
  }
  for (PeIndex pe = 0; pe < graph.size(); ++pe)
    graph[pe] = shape_neighbours(shape, pe, static_cast<PeIndex>(graph.size()));
  return graph;
}

}  // namespace skein::lb
