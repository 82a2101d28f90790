// SPDX-License-Identifier: Apache-2.0
// Barrier and broadcast.
#pragma once

#include <algorithm>
#include <cstddef>

#include "lb/collectives/thresholds.hpp"
#include "lb/collectives/tree.hpp"

namespace skein::collectives {

/// With few ranks a PE, dissemination (Hensgen, Finkel and Manber 1988): n log2 n messages, log2 n of them in
/// sequence. Else up and down a tree: 2 n messages, 2 log2 n of them in sequence.
template <class Port>
[[gnu::always_inline]] inline void barrier(Port& port) {
  const typename Port::Part nothing{};
  if (!port.is_crowded()) {
    for (int distance = 1; distance < port.size(); distance *= 2)
      port.exchange(port.above(distance), nothing, port.below(distance), nothing);
    return;
  }
  const RankTree tree(port.rank(), port.size(), 0);
  const auto none = [&](int, int) { return nothing; };
  up_the_tree(
      port, tree, none, [] {}, none);
  down_the_tree(port, tree, none);
}

/// Broadcasts data, of which `part(begin, bytes)` is a part. Long data is scattered down the tree, then its
/// pieces go around a ring (Van de Geijn 1994).
template <class Port, class Part>
void bcast(Port& port, int root, std::size_t bytes, const Part& part) {
  const int n = port.size();
  const RankTree tree(port.rank(), n, root);
  if (!scatters_bcast(bytes, n)) {
    down_the_tree(port, tree, [&](int, int) { return part(0, bytes); });
    return;
  }
  const std::size_t piece = (bytes + static_cast<std::size_t>(n) - 1) / static_cast<std::size_t>(n);
  const auto pieces = [&](int first, int last) {
    const std::size_t begin = std::min(static_cast<std::size_t>(first) * piece, bytes);
    return part(begin, std::min(static_cast<std::size_t>(last) * piece, bytes) - begin);
  };
  down_the_tree(port, tree, pieces);
  for (int step = 0; step < n - 1; ++step) {
    const int out = (tree.own() - step + n) % n, in = (out - 1 + n) % n;
    port.exchange(port.above(1), pieces(out, out + 1), port.below(1), pieces(in, in + 1));
  }
}

}  // namespace skein::collectives
