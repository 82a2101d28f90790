// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/pe_tree.hpp"

#include <algorithm>
#include <tuple>

namespace skein::chare {

PeTree make_pe_tree(int root, std::vector<int> pes, const std::vector<int>& node_of, std::size_t arity) {
  const auto node = [&](int pe) { return node_of[static_cast<std::size_t>(pe)]; };
  std::erase(pes, root);
  // The root's node first, then node by node: the first of each node is its head.
  std::ranges::sort(pes, {}, [&](int pe) { return std::tuple(node(pe) != node(root), node(pe), pe); });
  pes.insert(pes.begin(), root);

  PeTree tree{pes, std::vector<std::size_t>(pes.size())};
  std::vector<std::size_t> heads;
  std::size_t in_node = 0;  // how many of the present node came before
  for (std::size_t i = 0; i < pes.size(); ++i) {
    if (i == 0 || node(pes[i]) != node(pes[i - 1])) {
      if (i > 0) tree.parent[i] = heads[(heads.size() - 1) / arity];
      heads.push_back(i);
      in_node = 0;
    } else {
      tree.parent[i] = heads.back() + (in_node - 1) / arity;
    }
    ++in_node;
  }
  return tree;
}

}  // namespace skein::chare
