// SPDX-License-Identifier: Apache-2.0
// Gather and scatter: down or up a tree (`down_the_tree()` with each place's piece), or directly.
#pragma once

#include <cstddef>

#include "lb/collectives/tree.hpp"

namespace skein::collectives {

/// Gathers pieces: each rank collects those of its subtree, in the order of places, and sends them to its
/// parent. `pieces(first, last)`: the pieces of places [first, last).
template <class Port, class Pieces>
void gather_up_the_tree(Port& port, const RankTree& tree, const Pieces& pieces) {
  up_the_tree(
      port, tree, pieces, [] {}, pieces);
}

/// Sends `mine` to the root, which receives each rank's piece at `place_of(rank)`. The root calls meanwhile()
/// while messages are on their way.
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

/// Receives this rank's piece in `mine`; the root sends each rank `piece_of(rank)`.
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
