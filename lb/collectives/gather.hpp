// SPDX-License-Identifier: Apache-2.0
// Gather and scatter: down or up a tree (`down_the_tree()` with each place's piece), or directly.
#pragma once

#include <cstddef>

#include "lb/collectives/tree.hpp"

namespace skein::collectives {

/// Every rank collects the pieces of its subtree, in the order of places, and hands them to its parent.
/// `pieces(first, last)`: those of the places [first, last).
template <class Port, class Pieces>
void gather_up_the_tree(Port& port, const RankTree& tree, const Pieces& pieces) {
  up_the_tree(
      port, tree, pieces, [] {}, pieces);
}

/// `mine` is what this rank sends, `place_of(rank)` at the root where a rank's piece goes. meanwhile() is
/// called at the root while messages are on their way.
template <class Port, class Mine, class PlaceOf, class Meanwhile>
void gather_directly(Port& port, int root, const Mine& mine, const PlaceOf& place_of,
                     const Meanwhile& meanwhile) {
  if (port.rank() != root) return port.send(root, mine);
  auto batch = port.batch(static_cast<std::size_t>(port.size()));
  for (int from = 0; from < port.size(); ++from)
    if (from != root) batch.receive(from, place_of(from));
  meanwhile();
  batch.wait();
}

/// `mine` is where this rank's piece goes, `piece_of(rank)` at the root what a rank gets.
template <class Port, class Mine, class PieceOf, class Meanwhile>
void scatter_directly(Port& port, int root, const Mine& mine, const PieceOf& piece_of,
                      const Meanwhile& meanwhile) {
  if (port.rank() != root) return port.receive(root, mine);
  auto batch = port.batch(static_cast<std::size_t>(port.size()));
  for (int to = 0; to < port.size(); ++to)
    if (to != root) batch.send(to, piece_of(to));
  meanwhile();
  batch.wait();
}

}  // namespace skein::collectives
