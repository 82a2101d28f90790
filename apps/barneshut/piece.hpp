// SPDX-License-Identifier: Apache-2.0
// Pieces: disjoint cells of the octree that together fill the root. Each belongs to one process, or is an
// element; the owner of a piece changes no result (tree.hpp).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "gravity.hpp"
#include "tree.hpp"

namespace barneshut {

/// A box around bodies.
struct Box {
  Vec3 low, high;

  static Box around(std::span<const Body> bodies);
  /// Returns the square of the distance from the nearest place in the box. Rounded step by step like
  /// distances in attraction(), so that it never exceeds that of any place in the box.
  double distance2(const Vec3& x) const;
};

/// The part of a piece that every process knows.
struct Head {
  Octant cell;
  Box box;                         ///< of its bodies
  std::uint64_t bodies = 0;        ///< 0: the rest is unset
  std::uint64_t interactions = 0;  ///< of its bodies, when forces were last computed
  /// A leaf with its points, if the piece has few enough bodies for a leaf; else closed.
  Node node;
};

/// Heads of all pieces in the order of keys, and the points of heads that are leaves.
struct Heads {
  std::vector<Head> pieces;
  std::vector<Point> points;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& pieces& points;
  }
};

/// Adds the head of a piece to those before it. `tree`: its tree_of().
void add_head(Heads& heads, const TreeRules& rules, const Octant& cell, std::span<const Body> bodies,
              const Tree& tree);
/// Adds heads made by another process.
void append(Heads& heads, std::span<const Head> pieces, std::span<const Point> points);

/// Returns true if bodies in the box need more of a piece than its head; false if the piece has no bodies.
bool needs_more(const Gravity& gravity, const Box& box, const Head& piece);

/// Returns the part of a tree that bodies in any of the boxes, outside the tree's cell, need: cells that
/// count as a whole for all of them are closed. The locally essential tree of J. K. Salmon, "Parallel
/// hierarchical N-body methods", PhD thesis, Caltech 1991, of one piece.
Tree essential(const Gravity& gravity, const Tree& tree, std::span<const Box> boxes);

/// Returns the tree of everything, as far as it is known: for piece k `known(k)`, or, if that is null, its
/// head.
Tree whole_tree(const TreeRules& rules, const Heads& heads,
                const std::function<const Tree*(std::size_t)>& known);

/// Returns the piece, of those given in the order of keys, that has the key.
std::size_t piece_of(std::span<const Octant> pieces, std::uint64_t key);

/// Returns the process of a piece before any work is known: equal volumes in the order of keys.
int process_by_volume(const Octant& cell, int processes);

/// Returns the work of a body, as it was last computed.
inline std::uint64_t work_of(const Body& body) { return body.interactions > 0 ? body.interactions : 1; }

/// Cuts a cell into pieces of at most `most` work each, and adds them to `pieces` in the order of keys.
/// `bodies`: those of the cell, in_key_order(). Pieces with no more than `rules.leaf` bodies are not cut.
void cut(const TreeRules& rules, const Octant& cell, std::span<const Body> bodies, std::uint64_t most,
         std::vector<Octant>& pieces);

/// Returns the bodies of a cell, out of bodies in_key_order().
std::span<const Body> bodies_of(std::span<const Body> bodies, const Octant& cell);

}  // namespace barneshut
