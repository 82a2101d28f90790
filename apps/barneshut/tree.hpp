// SPDX-License-Identifier: Apache-2.0
// Octrees as arrays: a node comes before its children, which are in the order of their keys, so that a
// subtree is a run of nodes that can be copied or sent as it is.
//
// The bodies alone determine the nodes: a cell with more than `leaf` bodies is a node with children, its
// cells with fewer are leaves. They also determine the rounding: leaves sum their bodies in the order of
// keys, cells their children. So a tree is bitwise equal whichever process has which part of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "body.hpp"
#include "moments.hpp"
#include "octant.hpp"

namespace barneshut {

struct Node {
  enum class Kind : std::int32_t {
    cell,    ///< its children follow
    leaf,    ///< its bodies are points of the tree
    closed,  ///< its contents are not here: no body comes near enough to need them
  };

  Octant cell;
  Moments moments;
  double side = 0;
  Kind kind = Kind::closed;
  std::int32_t size = 1;  ///< nodes of the subtree, the node included
  std::int32_t first_point = 0, points = 0;
};

struct Tree {
  std::vector<Node> nodes;
  std::vector<Point> points;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& nodes& points;
  }
};

/// The rules for building a tree: equal everywhere.
struct TreeRules {
  Root root;
  std::int32_t leaf = 8;  ///< most bodies in a leaf; more only at the deepest level
};

/// Returns the tree of the bodies of one cell, which are in_key_order(); empty without bodies.
Tree tree_of(const TreeRules& rules, const Octant& cell, std::span<const Body> bodies);

/// Returns a leaf of points in their order; they are those from `first_point` on of its tree.
Node leaf_of(const TreeRules& rules, const Octant& cell, std::span<const Point> points, int first_point);

/// Adds a subtree at the end.
void append(Tree& tree, std::span<const Node> nodes, std::span<const Point> points);

/// Completes the node of a cell whose children, from `node` to the end of the tree, exist.
void complete_cell(const TreeRules& rules, Tree& tree, std::size_t node, const Octant& cell);

}  // namespace barneshut
