// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/pe_tree.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/transport.hpp"

namespace skein::net {

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

namespace {

std::optional<PlaceInTree> place;
const BegunAnew<place> with_runtime;

PlaceInTree find_place() {
  std::vector<int> all(static_cast<std::size_t>(net::world.pes));
  std::iota(all.begin(), all.end(), 0);
  const PeTree tree = make_pe_tree(0, all, net::world.node_of);
  PlaceInTree its;
  for (std::size_t i = 0; i < tree.pes.size(); ++i) {
    const int parent = tree.pes[tree.parent[i]];
    if (tree.pes[i] == net::world.pe) its.parent = parent;
    if (i > 0 && parent == net::world.pe) its.children.push_back(tree.pes[i]);
  }
  return its;
}

}  // namespace

const PlaceInTree& place_in_tree() {
  if (!place) [[unlikely]]
    place = find_place();
  return *place;
}

}  // namespace skein::net
