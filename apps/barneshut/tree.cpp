// SPDX-License-Identifier: Apache-2.0
#include "tree.hpp"

#include <algorithm>

namespace barneshut {
namespace {

Point point_of(const Body& body) { return {body.id, body.mass, body.x}; }

void add_cell(const TreeRules& rules, Tree& tree, const Octant& cell, std::span<const Body> bodies) {
  if (bodies.empty()) return;
  if (bodies.size() <= static_cast<std::size_t>(rules.leaf) || cell.level == deepest_level) {
    const auto first = tree.points.size();
    for (const Body& body : bodies) tree.points.push_back(point_of(body));
    tree.nodes.push_back(
        leaf_of(rules, cell, std::span(tree.points).subspan(first), static_cast<int>(first)));
    return;
  }
  const std::size_t node = tree.nodes.size();
  tree.nodes.emplace_back();
  for (int which = 0; which < 8; ++which) {
    const Octant child = cell.child(which);
    const auto end = std::ranges::lower_bound(bodies, child.end(), {}, &Body::key);
    const auto count = static_cast<std::size_t>(end - bodies.begin());
    add_cell(rules, tree, child, bodies.first(count));
    bodies = bodies.subspan(count);
  }
  complete_cell(rules, tree, node, cell);
}

}  // namespace

Tree tree_of(const TreeRules& rules, const Octant& cell, std::span<const Body> bodies) {
  Tree tree;
  add_cell(rules, tree, cell, bodies);
  return tree;
}

Node leaf_of(const TreeRules& rules, const Octant& cell, std::span<const Point> points, int first_point) {
  const auto count = static_cast<int>(points.size());
  Node leaf;
  leaf.cell = cell;
  leaf.side = rules.root.side_of(cell.level);
  leaf.kind = Node::Kind::leaf;
  leaf.first_point = first_point, leaf.points = count;
  leaf.moments = joined(count, [&](int k) {
    const Point& point = points[static_cast<std::size_t>(k)];
    return Moments{point.mass, point.x, {}};
  });
  return leaf;
}

void append(Tree& tree, std::span<const Node> nodes, std::span<const Point> points) {
  const auto shift = static_cast<std::int32_t>(tree.points.size());
  const std::size_t first = tree.nodes.size();
  tree.nodes.insert(tree.nodes.end(), nodes.begin(), nodes.end());
  for (Node& node : std::span(tree.nodes).subspan(first)) node.first_point += shift;
  tree.points.insert(tree.points.end(), points.begin(), points.end());
}

void complete_cell(const TreeRules& rules, Tree& tree, std::size_t node, const Octant& cell) {
  std::size_t children[8];
  int count = 0;
  for (std::size_t k = node + 1; k < tree.nodes.size(); k += static_cast<std::size_t>(tree.nodes[k].size))
    children[count++] = k;
  Node& whole = tree.nodes[node];
  whole.cell = cell;
  whole.side = rules.root.side_of(cell.level);
  whole.kind = Node::Kind::cell;
  whole.size = static_cast<std::int32_t>(tree.nodes.size() - node);
  whole.moments = joined(count, [&](int k) { return tree.nodes[children[k]].moments; });
}

}  // namespace barneshut
