// SPDX-License-Identifier: Apache-2.0
// Spanning trees of PEs, along which broadcasts go down and reductions up: no PE sends to, or hears from,
// more than a few others, and each message crosses from one node to another once.
#pragma once

#include <vector>

namespace skein::net {

/// pes[0] is the root; pes[parent[i]] is the parent of pes[i]; parent[i] < i, and parent[0] is 0.
struct PeTree {
  std::vector<int> pes;
  std::vector<std::size_t> parent;
};

/// Makes the tree over `pes`, each once, and `root`, which need not be among them. The first PE of each node,
/// or the root, hangs below that of another node; the others of a node hang below it. No vertex has more than
/// `arity` children in its node and as many in others.
PeTree make_pe_tree(int root, std::vector<int> pes, const std::vector<int>& node_of, std::size_t arity = 4);

/// This PE's place in the tree over all PEs of the job, whose root is PE 0.
struct PlaceInTree {
  int parent = 0;
  std::vector<int> children;
};
const PlaceInTree& place_in_tree();

}  // namespace skein::net
