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

void link_mesh(PeGraph& graph) {
  const auto count = static_cast<PeIndex>(graph.size());
  PeIndex rows = 1;
  for (PeIndex d = 1; std::uint64_t{d} * d <= count; ++d) {
    if (count % d == 0) rows = d;
  }
  const PeIndex columns = count / rows;
  for (PeIndex p = 0; p < count; ++p) {
    if (p % columns + 1 < columns) link(graph, p, p + 1);
    if (p + columns < count) link(graph, p, p + columns);
  }
}

void link_hypercube(PeGraph& graph) {
  for (std::uint64_t p = 0; p < graph.size(); ++p) {
    for (std::uint64_t bit = 1; bit < graph.size(); bit *= 2) {
      if (!(p & bit) && (p | bit) < graph.size()) {
        link(graph, static_cast<PeIndex>(p), static_cast<PeIndex>(p | bit));
      }
    }
  }
}

void link_partners(PeGraph& graph, const Snapshot& snapshot) {
  if (snapshot.graph.empty()) {
    throw MissingData("graph=comm needs the communication graph, which was not recorded");
  }
  const std::vector<PeIndex>& pe = snapshot.objects.pe;
  for (std::size_t i = 0; i < pe.size(); ++i) {
    for (std::uint64_t e = snapshot.graph.first[i]; e < snapshot.graph.first[i + 1]; ++e) {
      link(graph, pe[i], pe[snapshot.graph.to[e]]);
    }
  }
}

}  // namespace

PeGraph make_pe_graph(std::string_view shape, const Snapshot& snapshot) {
  PeGraph graph(snapshot.pe_count());
  if (shape == "comm") {
    link_partners(graph, snapshot);
  } else if (shape == "ring") {
    for (PeIndex p = 0; p < graph.size(); ++p) link(graph, p, static_cast<PeIndex>((p + 1) % graph.size()));
  } else if (shape == "mesh") {
    link_mesh(graph);
  } else {
    link_hypercube(graph);
  }
  for (std::vector<PeIndex>& neighbours : graph) {
    std::ranges::sort(neighbours);
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
  }
  return graph;
}

}  // namespace skein::lb
