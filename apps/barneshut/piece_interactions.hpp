// SPDX-License-Identifier: Apache-2.0
// Which pieces interact, by a sample: what a partitioner of hypergraphs goes by. O. Pearce et al., "Load
// balancing n-body simulations with highly non-uniform density", ICS 2014, sample interactions, more where
// bodies are dense, and a sampled one stands for those that go with it. Here a piece is the work unit: the
// interactions of its bodies. As many bodies are sampled in each piece, and pieces are small where bodies
// have much work.
#pragma once

#include "gravity.hpp"

namespace barneshut {

/// Sampled bodies of piece `from` interact with so many cells and leaves in piece `with`, counted once each.
/// A plain struct.
struct PieceInteraction {
  std::int64_t from = 0, with = 0, nodes = 0;

  friend bool operator==(const PieceInteraction&, const PieceInteraction&) = default;
};

/// Of one piece, in the order of `with`. `tree`: that by which its `bodies` were attracted; `pieces`: the
/// cells of all in the order of keys. What is larger than a piece everybody knows, and is left out, as is the
/// piece itself.
std::vector<PieceInteraction> sampled_interactions(const Gravity& gravity, const Tree& tree,
                                                   std::span<const Octant> pieces, std::size_t from,
                                                   std::span<const Body> bodies);

}  // namespace barneshut
