// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {
namespace {

[[noreturn]] void fail(const std::string& text) { throw SnapshotError("snapshot: " + text); }

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

void check_length(std::string_view what, std::size_t have, std::size_t want) {
  if (have != want) {
    fail(std::string(what) + " has " + std::to_string(have) + " elements, expected " + std::to_string(want));
  }
}

bool is_amount(double value) { return value >= 0 && value <= std::numeric_limits<double>::max(); }

template <class T>
void check_amounts(std::string_view what, std::string_view owner, std::span<const T> values,
                   std::size_t per_owner = 1) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_amount(values[i])) {
      fail(std::string(what) + " of " + std::string(owner) + " " + std::to_string(i / per_owner) + " is " +
           number(values[i]) + "; it must be finite and not negative");
    }
  }
}

void check_below(std::string_view what, std::size_t owner, std::uint64_t index, std::size_t limit) {
  if (index >= limit) {
    fail(std::string(what) + " " + std::to_string(owner) + " refers to " + std::to_string(index) +
         ", but there are only " + std::to_string(limit));
  }
}

void validate_objects(const Objects& objects, std::size_t pe_count) {
  const std::size_t n = objects.size();
  if (n > std::numeric_limits<ObjectIndex>::max()) fail("more than 2^32 - 1 objects");
  check_length("objects.id", objects.id.size(), n);
  check_length("objects.pe", objects.pe.size(), n);
  check_length("objects.bytes", objects.bytes.size(), n);
  check_length("objects.migratable", objects.migratable.size(), n);
  if (!objects.splittable.empty()) check_length("objects.splittable", objects.splittable.size(), n);
  if (!objects.level.empty()) check_length("objects.level", objects.level.size(), n);
  if (!objects.position.empty()) check_length("objects.position", objects.position.size(), n);
  check_length("objects.subphases", objects.subphases.size(), n * objects.subphase_count);
  check_length("objects.counters", objects.counters.size(), n * objects.counter_count);
  check_amounts<double>("load", "object", objects.load);
  check_amounts<float>("a subphase", "object", objects.subphases, std::max(1u, objects.subphase_count));
  check_amounts<float>("a counter", "object", objects.counters, std::max(1u, objects.counter_count));
  for (std::size_t i = 0; i < n; ++i) check_below("PE of object", i, objects.pe[i], pe_count);
  for (std::size_t i = 0; i < objects.position.size(); ++i) {
    for (float x : objects.position[i]) {
      if (!std::isfinite(x)) fail("position of object " + std::to_string(i) + " is not finite");
    }
  }
}

void validate_pes(const Pes& pes) {
  const std::size_t n = pes.size();
  if (n == 0) fail("there are no PEs");
  if (n > std::numeric_limits<PeIndex>::max()) fail("more than 2^32 - 1 PEs");
  check_length("pes.background_s", pes.background_s.size(), n);
  check_length("pes.node", pes.node.size(), n);
  if (!pes.memory_bytes.empty()) check_length("pes.memory_bytes", pes.memory_bytes.size(), n);
  if (!pes.cells.empty()) check_length("pes.cells", pes.cells.size(), n);
  check_amounts<double>("background load", "PE", pes.background_s);
  for (std::size_t p = 0; p < n; ++p) {
    if (!(is_amount(pes.speed[p]) && pes.speed[p] > 0)) {
      fail("speed of PE " + std::to_string(p) + " is " + number(pes.speed[p]) +
           "; it must be positive and finite");
    }
  }
}

/// Checks that even all objects on the slowest PE finish at a time that a double can hold: then no sum of
/// loads or difference of finish times is infinite or not a number.
void validate_sums(const Snapshot& snapshot) {
  const double load =
      std::accumulate(snapshot.objects.load.begin(), snapshot.objects.load.end(), 0.0) * 2;  // and rounding
  const double background =
      std::accumulate(snapshot.pes.background_s.begin(), snapshot.pes.background_s.end(), 0.0);
  const auto [slowest, fastest] = std::ranges::minmax(snapshot.pes.speed);
  const double work = background * fastest * static_cast<double>(snapshot.pe_count());
  if (!is_amount(load / slowest + background) || !is_amount(load + work))
    fail("loads, speeds and background add up to no finite time");
}

void validate_graph(const CommGraph& graph, std::size_t object_count) {
  const std::size_t edges = graph.edge_count();
  check_length("graph.bytes", graph.bytes.size(), edges);
  check_length("graph.messages", graph.messages.size(), edges);
  if (graph.empty()) {
    check_length("graph.to (of a graph without rows)", edges, 0);
    return;
  }
  check_length("graph.first", graph.first.size(), object_count + 1);
  if (graph.first.front() != 0 || graph.first.back() != edges || !std::ranges::is_sorted(graph.first)) {
    fail("graph.first must rise from 0 to the number of edges, " + std::to_string(edges));
  }
  for (std::size_t e = 0; e < edges; ++e) check_below("edge", e, graph.to[e], object_count);
  check_amounts<float>("bytes", "edge", graph.bytes);
}

void check_joins(std::size_t hyperedge, std::span<const ObjectIndex> pins, std::size_t object_count) {
  for (std::size_t k = 0; k < pins.size(); ++k) {
    check_below("hyperedge", hyperedge, pins[k], object_count);
    if (k > 0 && pins[k] == pins[k - 1])
      fail("hyperedge " + std::to_string(hyperedge) + " joins object " + std::to_string(pins[k]) + " twice");
  }
}

void validate_hypergraph(const Hypergraph& hypergraph, std::size_t object_count) {
  const std::size_t pins = hypergraph.pin.size();
  if (hypergraph.empty()) {
    check_length("hypergraph.pin (of a hypergraph without hyperedges)", pins, 0);
    check_length("hypergraph.bytes (of a hypergraph without hyperedges)", hypergraph.bytes.size(), 0);
    return;
  }
  check_length("hypergraph.first", hypergraph.first.size(), hypergraph.hyperedge_count() + 1);
  if (hypergraph.first.front() != 0 || hypergraph.first.back() != pins ||
      !std::ranges::is_sorted(hypergraph.first)) {
    fail("hypergraph.first must rise from 0 to the number of pins, " + std::to_string(pins));
  }
  for (std::size_t h = 0; h < hypergraph.hyperedge_count(); ++h) {
    check_joins(h, hypergraph.pins(h), object_count);
    if (!std::ranges::is_sorted(hypergraph.pins(h)))
      fail("the objects that hyperedge " + std::to_string(h) + " joins do not rise");
  }
  check_amounts<float>("bytes", "hyperedge", hypergraph.bytes);
}

void validate_blocks(const SharedBlocks& blocks, std::size_t object_count, std::size_t pe_count) {
  check_length("blocks.home", blocks.home.size(), blocks.block_count());
  if (blocks.empty())
    return check_length("blocks.bytes (of blocks that nobody reads)", blocks.bytes.size(), 0);
  check_length("blocks.of_object", blocks.of_object.size(), object_count);
  for (std::size_t i = 0; i < object_count; ++i)
    if (blocks.of_object[i] != kNoBlock)
      check_below("the block of object", i, blocks.of_object[i], blocks.block_count());
  for (std::size_t b = 0; b < blocks.block_count(); ++b)
    check_below("the home of block", b, blocks.home[b], pe_count);
}

void validate_topology(const Topology& topology, std::size_t pe_count) {
  if (topology.parent.empty()) {
    check_length("topology.vertex_of_pe (of a tree without vertices)", topology.vertex_of_pe.size(), 0);
    check_length("topology.latency_s (of a tree without vertices)", topology.latency_s.size(), 0);
    check_length("topology.byte_s (of a tree without vertices)", topology.byte_s.size(), 0);
    return;
  }
  check_length("topology.vertex_of_pe", topology.vertex_of_pe.size(), pe_count);
  if (topology.parent[0] != 0) fail("topology.parent[0] must be 0, the root");
  for (std::size_t v = 1; v < topology.parent.size(); ++v) {
    check_below("parent of topology vertex", v, topology.parent[v], v);
  }
  for (std::size_t p = 0; p < pe_count; ++p) {
    check_below("topology vertex of PE", p, topology.vertex_of_pe[p], topology.parent.size());
  }
  if (topology.latency_s.empty() && topology.byte_s.empty()) return;
  check_length("topology.latency_s", topology.latency_s.size(), topology.parent.size());
  check_length("topology.byte_s", topology.byte_s.size(), topology.parent.size());
  check_amounts<float>("latency", "topology vertex", topology.latency_s);
  check_amounts<float>("seconds a byte", "topology vertex", topology.byte_s);
}

template <class... Vector>
std::size_t bytes_of(const Vector&... vectors) {
  return (std::size_t{0} + ... + (vectors.size() * sizeof(typename Vector::value_type)));
}

struct Vertex {
  Domain part;
  std::uint32_t parent = 0;
  std::size_t children = 0, pes = 0;
};

/// The vertices of the ways to the PEs, parents before children.
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

ObjectIndex Snapshot::add_object(const ObjectInfo& info) {
  objects.id.push_back(info.id);
  objects.pe.push_back(info.pe);
  objects.load.push_back(info.load);
  objects.bytes.push_back(info.bytes);
  objects.migratable.push_back(info.migratable);
  return static_cast<ObjectIndex>(objects.size() - 1);
}

void Snapshot::validate() const {
  validate_pes(pes);
  validate_objects(objects, pe_count());
  validate_sums(*this);
  validate_graph(graph, object_count());
  validate_hypergraph(hypergraph, object_count());
  validate_blocks(blocks, object_count(), pe_count());
  validate_topology(topology, pe_count());
  if (!is_amount(interval_s))
    fail("the interval is " + number(interval_s) + " s; it must be finite and not negative");
}

std::size_t Snapshot::memory_bytes() const {
  const Objects& o = objects;
  return bytes_of(o.id, o.pe, o.load, o.bytes, o.migratable, o.splittable, o.level, o.position, o.subphases,
                  o.counters) +
         bytes_of(pes.speed, pes.background_s, pes.node, pes.memory_bytes, pes.cells) +
         bytes_of(graph.first, graph.to, graph.bytes, graph.messages) +
         bytes_of(hypergraph.first, hypergraph.pin, hypergraph.bytes) +
         bytes_of(blocks.of_object, blocks.bytes, blocks.home) +
         bytes_of(topology.parent, topology.vertex_of_pe, topology.latency_s, topology.byte_s);
}

Pes uniform_pes(std::size_t count, std::size_t pes_per_node) {
  Pes pes{std::vector<double>(count, 1.0),
          std::vector<double>(count, 0.0),
          std::vector<std::uint32_t>(count, 0),
          {}};
  if (pes_per_node > 0) {
    for (std::size_t p = 0; p < count; ++p) pes.node[p] = static_cast<std::uint32_t>(p / pes_per_node);
  }
  return pes;
}

CommGraph make_comm_graph(std::size_t object_count, std::span<const CommEdge> edges) {
  std::vector<CommEdge> sorted(edges.begin(), edges.end());
  for (std::size_t e = 0; e < sorted.size(); ++e) {
    check_below("start of edge", e, sorted[e].from, object_count);
    check_below("end of edge", e, sorted[e].to, object_count);
  }
  std::ranges::stable_sort(sorted, [](const CommEdge& a, const CommEdge& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });

  CommGraph graph;
  graph.first.assign(object_count + 1, 0);
  for (std::size_t e = 0; e < sorted.size();) {
    const CommEdge& head = sorted[e];
    double bytes = 0;
    std::uint32_t messages = 0;
    for (; e < sorted.size() && sorted[e].from == head.from && sorted[e].to == head.to; ++e) {
      bytes += sorted[e].bytes;
      messages += sorted[e].messages;
    }
    graph.to.push_back(head.to);
    graph.bytes.push_back(static_cast<float>(bytes));
    graph.messages.push_back(messages);
    ++graph.first[head.from + 1];
  }
  for (std::size_t i = 0; i < object_count; ++i) graph.first[i + 1] += graph.first[i];
  return graph;
}

Hypergraph make_hypergraph(std::size_t object_count, std::span<const Hyperedge> hyperedges) {
  Hypergraph hypergraph;
  hypergraph.first.push_back(0);
  for (std::size_t h = 0; h < hyperedges.size(); ++h) {
    std::vector<ObjectIndex> pins = hyperedges[h].objects;
    std::ranges::sort(pins);
    check_joins(h, pins, object_count);
    hypergraph.pin.insert(hypergraph.pin.end(), pins.begin(), pins.end());
    hypergraph.first.push_back(hypergraph.pin.size());
    hypergraph.bytes.push_back(static_cast<float>(hyperedges[h].bytes));
  }
  return hypergraph;
}

Topology make_topology(std::span<const std::vector<Domain>> way_to_pe) {
  if (way_to_pe.empty()) return {};
  const Parts parts = collect_parts(way_to_pe);
  Topology topology;
  // place[v]: the vertex in the result, or the parent's if v is left out because it has only one child. A
  // root with one child is left out, too: its child takes its place.
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
