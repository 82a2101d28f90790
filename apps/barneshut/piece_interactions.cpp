// SPDX-License-Identifier: Apache-2.0
#include "piece_interactions.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "piece.hpp"

namespace barneshut {
namespace {
constexpr std::size_t samples = 16;  // of a piece
}

std::vector<PieceInteraction> sampled_interactions(const Gravity& gravity, const Tree& tree,
                                                   std::span<const Octant> pieces, std::size_t from,
                                                   std::span<const Body> bodies) {
  std::map<std::size_t, std::set<const Node*>> nodes_in;
  const std::size_t count = std::min(samples, bodies.size());
  for (std::size_t k = 0; k < count; ++k)
    for (const Node* const node : interactions(gravity, tree, bodies[k * bodies.size() / count])) {
      const std::size_t with = piece_of(pieces, node->cell.first);
      if (with != from && node->cell.level >= pieces[with].level) nodes_in[with].insert(node);
    }
  std::vector<PieceInteraction> found;
  for (const auto& [with, nodes] : nodes_in)
    found.push_back({static_cast<std::int64_t>(from), static_cast<std::int64_t>(with), std::ssize(nodes)});
  return found;
}

}  // namespace barneshut
