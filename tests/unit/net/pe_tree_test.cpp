// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/pe_tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

using skein::net::make_pe_tree;
using skein::net::PeTree;

namespace {

/// Returns the node of each of `pes` PEs, `per_node` on each node.
std::vector<int> nodes(int pes, int per_node) {
  std::vector<int> node_of;
  for (int pe = 0; pe < pes; ++pe) node_of.push_back(pe / per_node);
  return node_of;
}

std::vector<int> every(int pes, int step) {
  std::vector<int> some;
  for (int pe = 0; pe < pes; pe += step) some.push_back(pe);
  return some;
}

void check_tree(const PeTree& tree, int root, const std::vector<int>& members,
                const std::vector<int>& node_of, std::size_t arity) {
  const auto node = [&](int pe) { return node_of[static_cast<std::size_t>(pe)]; };
  CHECK(tree.pes.front() == root);
  CHECK(tree.parent.front() == 0);
  std::set<int> expected(members.begin(), members.end());
  expected.insert(root);
  CHECK(std::set<int>(tree.pes.begin(), tree.pes.end()) == expected);
  CHECK(tree.pes.size() == expected.size());

  std::map<std::pair<std::size_t, bool>, std::size_t> children;  // of a vertex: in its node, and in others
  std::size_t crossings = 0;
  std::set<int> of_nodes;
  for (std::size_t i = 0; i < tree.pes.size(); ++i) {
    of_nodes.insert(node(tree.pes[i]));
    if (i == 0) continue;
    CHECK(tree.parent[i] < i);
    const bool crosses = node(tree.pes[i]) != node(tree.pes[tree.parent[i]]);
    crossings += crosses;
    CHECK(++children[{tree.parent[i], crosses}] <= arity);
  }
  CHECK(crossings == of_nodes.size() - 1);
}

}  // namespace

TEST_CASE("pe_tree: holds each PE once, no vertex has too many children, and each node is entered once") {
  for (const int pes : {1, 2, 3, 7, 64, 100})
    for (const int per_node : {1, 2, 16, 100})
      for (const int step : {1, 3})
        for (const int root : {0, pes / 2, pes - 1})
          for (const std::size_t arity : {1u, 2u, 4u}) {
            CAPTURE(pes);
            CAPTURE(per_node);
            CAPTURE(step);
            CAPTURE(root);
            const std::vector<int> node_of = nodes(pes, per_node), members = every(pes, step);
            check_tree(make_pe_tree(root, members, node_of, arity), root, members, node_of, arity);
          }
}

TEST_CASE("pe_tree: of nobody is the root alone") {
  CHECK(make_pe_tree(1, {}, nodes(3, 3)).pes == std::vector<int>{1});
}

TEST_CASE("pe_tree: is as deep as the logarithm of the PEs") {
  // A full tree of arity 4 over 85 = 1 + 4 + 16 + 64 PEs has depth 3.
  const PeTree tree = make_pe_tree(0, every(85, 1), nodes(85, 85), 4);
  std::vector<int> depth(tree.pes.size());
  for (std::size_t i = 1; i < tree.pes.size(); ++i) depth[i] = depth[tree.parent[i]] + 1;
  CHECK(*std::max_element(depth.begin(), depth.end()) == 3);
}
