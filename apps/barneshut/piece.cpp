// SPDX-License-Identifier: Apache-2.0
#include "piece.hpp"

#include <algorithm>
#include <numeric>

namespace barneshut {

Box Box::around(std::span<const Body> bodies) {
  if (bodies.empty()) return {};
  Box box{bodies[0].x, bodies[0].x};
  for (const Body& body : bodies)
    for (int axis = 0; axis < 3; ++axis) {
      box.low[axis] = std::min(box.low[axis], body.x[axis]);
      box.high[axis] = std::max(box.high[axis], body.x[axis]);
    }
  return box;
}

double Box::distance2(const Vec3& x) const {
  Vec3 d;
  for (int axis = 0; axis < 3; ++axis) d[axis] = std::max({low[axis] - x[axis], x[axis] - high[axis], 0.0});
  return dot(d, d);
}

void add_head(Heads& heads, const TreeRules& rules, const Octant& cell, std::span<const Body> bodies,
              const Tree& tree) {
  Head head;
  head.cell = cell;
  head.box = Box::around(bodies);
  head.bodies = bodies.size();
  for (const Body& body : bodies) head.interactions += body.interactions;
  if (!bodies.empty()) head.node = tree.nodes.front();
  if (head.bodies > 0 && head.bodies <= static_cast<std::uint64_t>(rules.leaf)) {
    head.node.first_point = static_cast<std::int32_t>(heads.points.size());
    heads.points.insert(heads.points.end(), tree.points.begin(), tree.points.end());
  } else {
    head.node.kind = Node::Kind::closed;
    head.node.size = 1;
    head.node.first_point = head.node.points = 0;
  }
  heads.pieces.push_back(head);
}

void append(Heads& heads, std::span<const Head> pieces, std::span<const Point> points) {
  const auto shift = static_cast<std::int32_t>(heads.points.size());
  for (Head head : pieces) {
    if (head.node.points > 0) head.node.first_point += shift;
    heads.pieces.push_back(head);
  }
  heads.points.insert(heads.points.end(), points.begin(), points.end());
}

bool needs_more(const Gravity& gravity, const Box& box, const Head& piece) {
  return piece.bodies > 0 && piece.node.kind == Node::Kind::closed &&
         !gravity.accepts(piece.node.side, box.distance2(piece.node.moments.centre));
}

Tree essential(const Gravity& gravity, const Tree& tree, std::span<const Box> boxes) {
  const auto is_far = [&](const Node& node) {
    return std::ranges::all_of(boxes, [&](const Box& box) {
      return gravity.accepts(node.side, box.distance2(node.moments.centre));
    });
  };
  Tree needed;
  // Open cells around the present one: the place of each in `needed`, and its end in `tree`.
  std::vector<std::pair<std::size_t, std::size_t>> open;
  for (std::size_t k = 0; k < tree.nodes.size();) {
    Node node = tree.nodes[k];
    std::size_t next = k + 1;
    if (node.points != 1 && is_far(node)) {
      next = k + static_cast<std::size_t>(node.size);
      node.kind = Node::Kind::closed;
      node.size = 1;
      node.first_point = node.points = 0;
    } else if (node.kind == Node::Kind::leaf) {
      const auto points =
          std::span(tree.points)
              .subspan(static_cast<std::size_t>(node.first_point), static_cast<std::size_t>(node.points));
      node.first_point = static_cast<std::int32_t>(needed.points.size());
      needed.points.insert(needed.points.end(), points.begin(), points.end());
    } else {
      open.emplace_back(needed.nodes.size(), k + static_cast<std::size_t>(node.size));
    }
    needed.nodes.push_back(node);
    k = next;
    for (; !open.empty() && open.back().second == k; open.pop_back())
      needed.nodes[open.back().first].size =
          static_cast<std::int32_t>(needed.nodes.size() - open.back().first);
  }
  return needed;
}

namespace {

/// Builds the nodes above the pieces.
class Crown {
 public:
  Crown(const TreeRules& rules, const Heads& heads, const std::function<const Tree*(std::size_t)>& known,
        Tree& tree)
      : rules_(rules), heads_(heads), known_(known), tree_(tree) {}

  /// Adds the cell whose pieces are those from `begin` to before `end`.
  void add(const Octant& cell, std::size_t begin, std::size_t end) {
    std::uint64_t bodies = 0;
    for (std::size_t k = begin; k < end; ++k) bodies += heads_.pieces[k].bodies;
    if (bodies == 0) return;
    if (heads_.pieces[begin].cell == cell) return add_piece(begin);
    if (bodies <= static_cast<std::uint64_t>(rules_.leaf)) return add_leaf(cell, begin, end);
    const std::size_t node = tree_.nodes.size();
    tree_.nodes.emplace_back();
    for (int which = 0; which < 8; ++which) {
      const Octant child = cell.child(which);
      std::size_t middle = begin;
      while (middle < end && child.holds(heads_.pieces[middle].cell.first)) ++middle;
      add(child, begin, middle);
      begin = middle;
    }
    complete_cell(rules_, tree_, node, cell);
  }

 private:
  std::span<const Point> points_of(const Head& head) const {
    return std::span(heads_.points)
        .subspan(static_cast<std::size_t>(head.node.first_point), static_cast<std::size_t>(head.node.points));
  }

  void add_piece(std::size_t piece) {
    if (const Tree* const tree = known_(piece)) return append(tree_, tree->nodes, tree->points);
    const Head& head = heads_.pieces[piece];
    Node node = head.node;
    node.first_point = 0;
    append(tree_, {&node, 1}, points_of(head));
  }

  void add_leaf(const Octant& cell, std::size_t begin, std::size_t end) {
    const std::size_t first = tree_.points.size();
    for (std::size_t k = begin; k < end; ++k) {
      const auto points = points_of(heads_.pieces[k]);
      tree_.points.insert(tree_.points.end(), points.begin(), points.end());
    }
    tree_.nodes.push_back(
        leaf_of(rules_, cell, std::span(tree_.points).subspan(first), static_cast<int>(first)));
  }

  const TreeRules& rules_;
  const Heads& heads_;
  const std::function<const Tree*(std::size_t)>& known_;
  Tree& tree_;
};

}  // namespace

Tree whole_tree(const TreeRules& rules, const Heads& heads,
                const std::function<const Tree*(std::size_t)>& known) {
  Tree tree;
  Crown(rules, heads, known, tree).add({}, 0, heads.pieces.size());
  return tree;
}

std::size_t piece_of(std::span<const Octant> pieces, std::uint64_t key) {
  const auto behind = std::ranges::upper_bound(pieces, key, {}, &Octant::first);
  return static_cast<std::size_t>(behind - pieces.begin()) - 1;
}

int process_by_volume(const Octant& cell, int processes) {
  const double middle = static_cast<double>(cell.first) + 0.5 * static_cast<double>(cell.keys());
  return static_cast<int>(middle / static_cast<double>(Octant{}.keys()) * processes);
}

std::span<const Body> bodies_of(std::span<const Body> bodies, const Octant& cell) {
  const auto begin = std::ranges::lower_bound(bodies, cell.first, {}, &Body::key);
  const auto end = std::ranges::lower_bound(begin, bodies.end(), cell.end(), {}, &Body::key);
  return {begin, end};
}

void cut(const TreeRules& rules, const Octant& cell, std::span<const Body> bodies, std::uint64_t most,
         std::vector<Octant>& pieces) {
  const auto add = [](std::uint64_t sum, const Body& body) { return sum + work_of(body); };
  const std::uint64_t work = std::accumulate(bodies.begin(), bodies.end(), std::uint64_t{0}, add);
  if (work <= most || bodies.size() <= static_cast<std::size_t>(rules.leaf) || cell.level == deepest_level)
    return pieces.push_back(cell);
  for (int which = 0; which < 8; ++which) {
    const Octant child = cell.child(which);
    cut(rules, child, bodies_of(bodies, child), most, pieces);
  }
}

}  // namespace barneshut
