// SPDX-License-Identifier: Apache-2.0
// Octrees as arrays: a node comes before its children, these in the order of their keys, so that a subtree is
// a run of nodes that can be copied or sent as it is.
//
// Which nodes there are follows from the bodies alone: a cell with more than `leaf` bodies is a node with
// children, its cells with fewer are leaves. So does their rounding: leaves sum their bodies in the order of
// keys, others their children. So a tree is bitwise the same whoever has which part of it.
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
    closed,  ///< what is in it is not here: nobody comes so near that it would be needed
  };

  Octant cell;
  Moments moments;
  double side = 0;
  Kind kind = Kind::closed;
  std::int32_t size = 1;  ///< nodes of the subtree, itself included
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

/// What a tree is built by: the same everywhere.
struct TreeRules {
  Root root;
  std::int32_t leaf = 8;  ///< bodies in a leaf at most; more only at the deepest level
};

/// The tree of the bodies of one cell, which are in_key_order(); empty without bodies.
Tree tree_of(const TreeRules& rules, const Octant& cell, std::span<const Body> bodies);

/// A leaf of points in their order; the points are those from `first_point` on of the tree it is for.
Node leaf_of(const TreeRules& rules, const Octant& cell, std::span<const Point> points, int first_point);

/// Adds a subtree at the end.
void append(Tree& tree, std::span<const Node> nodes, std::span<const Point> points);

/// The node of a cell whose children, from `node` to the end of the tree, are there.
void complete_cell(const TreeRules& rules, Tree& tree, std::size_t node, const Octant& cell);

}  // namespace barneshut
