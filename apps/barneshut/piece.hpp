// SPDX-License-Identifier: Apache-2.0
// Pieces: disjoint cells of the octree that together fill the root. Each belongs to one process, or is an
// element; who has which changes no result (tree.hpp).
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
  /// The square of the distance from its nearest place. Rounded as distances in attraction() are, step by
  /// step, so that it is never above that of any place in the box.
  double distance2(const Vec3& x) const;
};

/// What everybody knows of a piece.
struct Head {
  Octant cell;
  Box box;                         ///< of its bodies
  std::uint64_t bodies = 0;        ///< if none, there is no more
  std::uint64_t interactions = 0;  ///< of its bodies, when forces were last computed
  /// A leaf with its points, if it has no more than a leaf may have; else closed.
  Node node;
};

/// Heads of all pieces in the order of keys, and the points of those that are leaves.
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
/// Adds what another has made.
void append(Heads& heads, std::span<const Head> pieces, std::span<const Point> points);

/// Whether bodies in the box need more of a piece than its head. False where it has no bodies.
bool needs_more(const Gravity& gravity, const Box& box, const Head& piece);

/// What bodies in any of the boxes need of a tree, those being outside the tree's cell: cells that count as a
/// whole for all of them are closed. The locally essential tree of J. K. Salmon, "Parallel hierarchical
/// N-body methods", PhD thesis, Caltech 1991, of one piece.
Tree essential(const Gravity& gravity, const Tree& tree, std::span<const Box> boxes);

/// The tree of everything, as far as it is known: of piece k `known(k)`, or, if that is null, its head.
Tree whole_tree(const TreeRules& rules, const Heads& heads,
                const std::function<const Tree*(std::size_t)>& known);

/// Which of the pieces, given in the order of keys, has the key.
std::size_t piece_of(std::span<const Octant> pieces, std::uint64_t key);

/// The process of a piece as a program has it that knows no work yet: equal volumes in the order of keys.
int process_by_volume(const Octant& cell, int processes);

/// The work of a body: what it was when last computed.
inline std::uint64_t work_of(const Body& body) { return body.interactions > 0 ? body.interactions : 1; }

/// Cuts a cell into pieces of at most `most` work each. `bodies`: those of the cell, in_key_order().
/// Pieces with no more than `rules.leaf` bodies are not cut. Adds them to `pieces` in the order of keys.
void cut(const TreeRules& rules, const Octant& cell, std::span<const Body> bodies, std::uint64_t most,
         std::vector<Octant>& pieces);

/// The bodies of a cell, of bodies in_key_order().
std::span<const Body> bodies_of(std::span<const Body> bodies, const Octant& cell);

}  // namespace barneshut
