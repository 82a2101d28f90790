// SPDX-License-Identifier: Apache-2.0
// Binomial trees. The ranks of a tree have places: the root's is 0, and the subtree of place p is [p, p + b),
// where b is the lowest bit of p, as far as there are ranks.
//
// Algorithms are inlined into their callers: a rank that waits in one returns through as few frames as
// possible, as processors predict returns only if the rank before called alike (runtime/fiber/context.hpp).
#pragma once

#include <algorithm>

namespace skein::collectives {

/// The tree over all ranks of a port; places rise from the root's rank upwards, around the end.
class RankTree {
 public:
  RankTree(int rank, int ranks, int root)
      : ranks_(ranks), root_(root), own_(rank < root ? rank - root + ranks : rank - root) {}
  int size() const { return ranks_; }
  int own() const { return own_; }
  int rank_of(int place) const { return place < ranks_ - root_ ? place + root_ : place - (ranks_ - root_); }
  /// Returns the end of a place's subtree.
  int end_of(int place) const {
    return place == 0 ? ranks_ : place + std::min(place & -place, ranks_ - place);
  }

 private:
  int ranks_, root_, own_;
};

/// Receives from the parent, then sends to the children, the largest subtree first. `part(first, last)`: the
/// data for the places [first, last).
template <class Port, class Tree, class Part>
[[gnu::always_inline]] inline void down_the_tree(Port& port, const Tree& tree, const Part& part) {
  const int n = tree.size(), own = tree.own();
  int bit = 1;
  for (; bit < n; bit *= 2) {
    if (!(own & bit)) continue;
    port.receive(tree.rank_of(own - bit), part(own, std::min(own + bit, n)));
    break;
  }
  for (bit /= 2; bit > 0; bit /= 2) {
    const int child = own + bit;
    if (child < n) port.send(tree.rank_of(child), part(child, std::min(child + bit, n)));
  }
}

/// Receives from the children, the largest subtree last, and calls took() after each; then sends to the
/// parent. `coming(first, last)`: room for the part of the places [first, last); `going(first, last)`: this
/// rank's final data of these places. Parts are taken in the order of places.
template <class Port, class Tree, class Coming, class Took, class Going>
[[gnu::always_inline]] inline void up_the_tree(Port& port, const Tree& tree, const Coming& coming,
                                               const Took& took, const Going& going) {
  const int n = tree.size(), own = tree.own();
  for (int bit = 1; bit < n; bit *= 2) {
    if (own & bit) return port.send(tree.rank_of(own - bit), going(own, std::min(own + bit, n)));
    const int child = own + bit;
    if (child >= n) continue;
    port.receive(tree.rank_of(child), coming(child, std::min(child + bit, n)));
    took();
  }
}

}  // namespace skein::collectives
