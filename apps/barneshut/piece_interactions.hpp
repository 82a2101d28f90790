// SPDX-License-Identifier: Apache-2.0
// Finds by a sample which pieces interact, for partitioners of hypergraphs. O. Pearce et al., "Load balancing
// n-body simulations with highly non-uniform density", ICS 2014, sample interactions, more where bodies are
// dense, and let a sampled one stand for those near it. Here the work unit is a piece: the interactions of
// its bodies. Each piece has equally many samples, and pieces are small where bodies have much work.
#pragma once

#include "gravity.hpp"

namespace barneshut {

/// The number of cells and leaves in piece `with`, each counted once, that sampled bodies of piece `from`
/// interact with. A plain struct.
struct PieceInteraction {
  std::int64_t from = 0, with = 0, nodes = 0;

  friend bool operator==(const PieceInteraction&, const PieceInteraction&) = default;
};

/// Returns the interactions of one piece, in the order of `with`. `tree`: the tree that attracted its
/// `bodies`; `pieces`: all cells in the order of keys. Cells larger than a piece, which every process knows,
/// are left out, and so is the piece itself.
std::vector<PieceInteraction> sampled_interactions(const Gravity& gravity, const Tree& tree,
                                                   std::span<const Octant> pieces, std::size_t from,
                                                   std::span<const Body> bodies);

}  // namespace barneshut
