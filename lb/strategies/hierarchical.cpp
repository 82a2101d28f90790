// SPDX-License-Identifier: Apache-2.0
// hierarchical: one strategy between nodes, another inside each. First every node counts as one PE with the
// speed of all its PEs, and the strategy `node` divides the objects among nodes; then the strategy `pe`
// divides each node's objects among its PEs. Objects that came from another node start on the PE that would
// finish them first.
//
// Looks at the inputs of the two strategies, and at the nodes of the PEs. Wins where moving and messages
// between nodes are much dearer than inside, with a `node` strategy that moves little or cuts little; leaves
// a little more imbalance than the same strategy over all PEs, since a node's load is fixed before it is
// divided. Returns the present placement when the result would finish later. Cost: that of `node` for the
// nodes and of `pe` for each node's objects. G. Zheng, A. Bhatele, E. Meneses, L. V. Kale, "Periodic
// hierarchical load balancing for large supercomputers", International Journal of High Performance Computing
// Applications 25 (2011).
#include <algorithm>

#include "lb/kernel/finish_queue.hpp"
#include "lb/strategies/define.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

struct Node {
  std::vector<PeIndex> pes;
  std::vector<ObjectIndex> objects;
  std::vector<Hyperedge> hyperedges;  // each restricted to this node's objects, by their indices in the node
};

/// Returns the nodes in the order of their ids, without objects. node_of[p] becomes the index of PE p's node.
std::vector<Node> find_nodes(const Pes& pes, std::vector<std::uint32_t>& node_of) {
  std::vector<std::uint32_t> ids = pes.node;
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::vector<Node> nodes(ids.size());
  for (PeIndex p = 0; p < pes.size(); ++p) {
    const auto place = std::ranges::lower_bound(ids, pes.node[p]) - ids.begin();
    nodes[place].pes.push_back(p);
    node_of.push_back(static_cast<std::uint32_t>(place));
  }
  return nodes;
}

/// Returns the lowest vertex above all of these.
std::uint32_t vertex_above(const Topology& topology, std::span<const std::uint32_t> vertices) {
  std::uint32_t above = vertices.front();
  for (std::uint32_t v : vertices)
    while (v != above) (v > above ? v : above) = topology.parent[std::max(v, above)];
  return above;
}

/// Returns the part of the topology from these vertices, where the PEs of a level are, up to where they meet.
Topology part_above(const Topology& whole, std::vector<std::uint32_t> vertex_of_pe) {
  const std::uint32_t root = vertex_above(whole, vertex_of_pe);
  std::vector<std::uint32_t> kept{root};
  for (std::uint32_t v : vertex_of_pe)
    for (; v != root; v = whole.parent[v]) kept.push_back(v);
  std::ranges::sort(kept);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  const auto place = [&](std::uint32_t v) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(kept, v) - kept.begin());
  };
  Topology part;
  for (const std::uint32_t v : kept) {
    part.parent.push_back(v == root ? 0 : place(whole.parent[v]));
    if (whole.latency_s.empty()) continue;
    part.latency_s.push_back(whole.latency_s[v]);
    part.byte_s.push_back(whole.byte_s[v]);
  }
  for (std::uint32_t& v : vertex_of_pe) v = place(v);
  part.vertex_of_pe = std::move(vertex_of_pe);
  return part;
}

std::vector<std::uint32_t> vertices_of(const Topology& topology, const Node& node) {
  std::vector<std::uint32_t> vertices;
  for (const PeIndex p : node.pes) vertices.push_back(topology.vertex_of_pe[p]);
  return vertices;
}

/// Returns the snapshot with nodes as PEs.
Snapshot node_level(const Snapshot& snapshot, const std::vector<Node>& nodes,
                    const std::vector<std::uint32_t>& node_of) {
  Snapshot level;
  level.objects = snapshot.objects;
  for (PeIndex& pe : level.objects.pe) pe = node_of[pe];
  level.graph = snapshot.graph;
  level.hypergraph = snapshot.hypergraph;
  level.step = snapshot.step;
  level.pes = uniform_pes(nodes.size(), 1);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    double speed = 0, background_work = 0;
    for (PeIndex p : nodes[n].pes) {
      speed += snapshot.pes.speed[p];
      background_work += snapshot.pes.background_s[p] * snapshot.pes.speed[p];
    }
    level.pes.speed[n] = speed;
    level.pes.background_s[n] = background_work / speed;
  }
  if (snapshot.topology.parent.empty()) return level;
  std::vector<std::uint32_t> vertices;
  for (const Node& node : nodes)
    vertices.push_back(vertex_above(snapshot.topology, vertices_of(snapshot.topology, node)));
  level.topology = part_above(snapshot.topology, std::move(vertices));
  return level;
}

/// Returns one node's PEs and objects with the messages among them. Writes place_in_node[i] of its objects.
Snapshot inside_node(const Snapshot& snapshot, const Node& node, std::uint32_t number,
                     const std::vector<std::uint32_t>& node_of, const Assignment& node_of_object,
                     std::vector<ObjectIndex>& place_in_node) {
  Snapshot inside;
  inside.step = snapshot.step;
  inside.pes = uniform_pes(node.pes.size());
  if (!snapshot.topology.parent.empty())
    inside.topology = part_above(snapshot.topology, vertices_of(snapshot.topology, node));
  for (PeIndex p = 0; p < node.pes.size(); ++p) {
    inside.pes.speed[p] = snapshot.pes.speed[node.pes[p]];
    inside.pes.background_s[p] = snapshot.pes.background_s[node.pes[p]];
  }

  const Objects& objects = snapshot.objects;
  std::vector<double> finish = inside.pes.background_s;
  std::vector<ObjectIndex> arrived;
  for (ObjectIndex i : node.objects) {
    const bool was_here = node_of[objects.pe[i]] == number;
    PeIndex pe = 0;
    if (was_here) {
      pe = static_cast<PeIndex>(std::ranges::lower_bound(node.pes, objects.pe[i]) - node.pes.begin());
      finish[pe] += objects.load[i] / inside.pes.speed[pe];
    }
    place_in_node[i] = inside.add_object({.id = objects.id[i],
                                          .pe = pe,
                                          .load = objects.load[i],
                                          .bytes = objects.bytes[i],
                                          .migratable = objects.migratable[i] != 0});
    if (!was_here) arrived.push_back(i);
    if (!objects.position.empty()) inside.objects.position.push_back(objects.position[i]);
  }
  std::ranges::stable_sort(arrived, std::greater{}, [&](ObjectIndex i) { return objects.load[i]; });
  FinishQueue queue(inside.pes, std::move(finish));
  for (ObjectIndex i : arrived) inside.objects.pe[place_in_node[i]] = queue.place(objects.load[i]);

  if (!snapshot.hypergraph.empty()) inside.hypergraph = make_hypergraph(node.objects.size(), node.hyperedges);
  if (snapshot.graph.empty()) return inside;
  std::vector<CommEdge> edges;
  for (ObjectIndex i : node.objects) {
    for (std::uint64_t e = snapshot.graph.first[i]; e < snapshot.graph.first[i + 1]; ++e) {
      const ObjectIndex to = snapshot.graph.to[e];
      if (node_of_object[to] != number) continue;
      edges.push_back(
          {place_in_node[i], place_in_node[to], snapshot.graph.bytes[e], snapshot.graph.messages[e]});
    }
  }
  inside.graph = make_comm_graph(node.objects.size(), edges);
  return inside;
}

/// Gives each node its part of each hyperedge.
void share_hyperedges(const Hypergraph& hypergraph, const Assignment& node_of_object,
                      std::vector<Node>& nodes) {
  std::vector<ObjectIndex> place(node_of_object.size());
  for (const Node& node : nodes)
    for (ObjectIndex k = 0; k < node.objects.size(); ++k) place[node.objects[k]] = k;
  for (std::size_t h = 0; h < hypergraph.hyperedge_count(); ++h) {
    std::vector<std::uint32_t> reached;
    for (const ObjectIndex i : hypergraph.pins(h)) {
      const std::uint32_t n = node_of_object[i];
      if (std::ranges::find(reached, n) == reached.end()) {
        reached.push_back(n);
        nodes[n].hyperedges.push_back({{}, hypergraph.bytes[h]});
      }
      nodes[n].hyperedges.back().objects.push_back(place[i]);
    }
  }
}

}  // namespace

std::span<const Key> hierarchical_keys() {
  static constexpr Key keys[] = {
      strategy_key("node", "refine", "strategy between nodes; it may have a key"),
      strategy_key("pe", "greedy-refine", "strategy inside a node; it may have a key"),
  };
  return keys;
}

Assignment assign_hierarchical(const Snapshot& snapshot, const Options& options, std::uint64_t seed) {
  const Selection between = parse_strategy(options.text("node")), inside = parse_strategy(options.text("pe"));
  std::vector<std::uint32_t> node_of;
  std::vector<Node> nodes = find_nodes(snapshot.pes, node_of);
  const Assignment node_of_object = between.assign(node_level(snapshot, nodes, node_of), seed);
  for (ObjectIndex i = 0; i < node_of_object.size(); ++i) nodes[node_of_object[i]].objects.push_back(i);

  share_hyperedges(snapshot.hypergraph, node_of_object, nodes);
  Assignment pe_of = snapshot.objects.pe;
  std::vector<ObjectIndex> place_in_node(snapshot.object_count());
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    const Snapshot part = inside_node(snapshot, nodes[n], n, node_of, node_of_object, place_in_node);
    const Assignment local = inside.assign(part, seed + n);
    for (ObjectIndex k = 0; k < local.size(); ++k) pe_of[nodes[n].objects[k]] = nodes[n].pes[local[k]];
  }
  return largest_finish(snapshot, pe_of) < largest_finish(snapshot, snapshot.objects.pe)
             ? pe_of
             : snapshot.objects.pe;
}

}  // namespace skein::lb
