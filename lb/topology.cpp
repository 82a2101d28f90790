// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <utility>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {
namespace {

struct Vertex {
  Domain part;
  std::uint32_t parent = 0;
  std::size_t children = 0, pes = 0;
};

/// In the order in which the ways meet them: parents before children.
struct Parts {
  std::vector<Vertex> vertices;
  std::vector<std::uint32_t> of_pe;
};

Parts collect_parts(std::span<const std::vector<Domain>> way_to_pe) {
  Parts parts;
  parts.vertices.push_back({way_to_pe[0].at(0)});
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> known;  // by parent and name
  for (const std::vector<Domain>& way : way_to_pe) {
    std::uint32_t at = 0;
    for (std::size_t k = 1; k < way.size(); ++k) {
      const auto [entry, is_new] =
          known.try_emplace({at, way[k].name}, static_cast<std::uint32_t>(parts.vertices.size()));
      if (is_new) {
        ++parts.vertices[at].children;
        parts.vertices.push_back({way[k], at});
      }
      at = entry->second;
    }
    ++parts.vertices[at].pes;
    parts.of_pe.push_back(at);
  }
  return parts;
}

}  // namespace

Topology make_topology(std::span<const std::vector<Domain>> way_to_pe) {
  if (way_to_pe.empty()) return {};
  const Parts parts = collect_parts(way_to_pe);
  Topology topology;
  // place[v]: the vertex in the result; that of the part above where v is left out for having one child only.
  // The root stays out the same way: its child then takes its place.
  std::vector<std::uint32_t> place(parts.vertices.size(), 0);
  for (std::uint32_t v = 0; v < parts.vertices.size(); ++v) {
    const Vertex& vertex = parts.vertices[v];
    const std::uint32_t above = v == 0 ? 0 : place[vertex.parent];
    if (vertex.children == 1 && vertex.pes == 0) {
      place[v] = above;
      continue;
    }
    place[v] = static_cast<std::uint32_t>(topology.parent.size());
    topology.parent.push_back(topology.parent.empty() ? 0 : above);
    topology.latency_s.push_back(vertex.part.latency_s);
    topology.byte_s.push_back(vertex.part.byte_s);
  }
  for (const std::uint32_t v : parts.of_pe) topology.vertex_of_pe.push_back(place[v]);
  return topology;
}

}  // namespace skein::lb
