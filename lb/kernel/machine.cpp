// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/machine.hpp"

#include <algorithm>

namespace skein::lb {
namespace {

constexpr MessageCost kSamePe{0.1e-6, 1 / 20e9}, kSharedMemory{0.5e-6, 1 / 10e9}, kNetwork{2e-6, 1 / 4e9};

Topology tree_of_nodes(const Pes& pes) {
  std::vector<std::uint32_t> nodes = pes.node;
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  Topology tree{std::vector<std::uint32_t>(1 + nodes.size(), 0), {}};
  for (const std::uint32_t node : pes.node) {
    const auto place = std::ranges::lower_bound(nodes, node) - nodes.begin();
    tree.vertex_of_pe.push_back(static_cast<std::uint32_t>(1 + place));
  }
  return tree;
}

void set_usual_costs(Topology& tree, const Pes& pes) {
  // node[v]: the common node of all PEs below v, or one of these two constants.
  constexpr std::uint64_t kNone = ~std::uint64_t{0}, kSeveral = kNone - 1;
  std::vector<std::uint64_t> node(tree.parent.size(), kNone);
  const auto join = [&](std::uint32_t vertex, std::uint64_t below) {
    if (below == kNone) return;
    node[vertex] = node[vertex] == kNone || node[vertex] == below ? below : kSeveral;
  };
  for (std::size_t p = 0; p < pes.size(); ++p) join(tree.vertex_of_pe[p], pes.node[p]);
  for (std::size_t v = tree.parent.size(); v-- > 1;) join(tree.parent[v], node[v]);
  for (const std::uint64_t below : node) {
    const MessageCost& cost = below == kSeveral ? kNetwork : kSharedMemory;
    tree.latency_s.push_back(static_cast<float>(cost.latency_s));
    tree.byte_s.push_back(static_cast<float>(cost.byte_s));
  }
}

}  // namespace

Machine::Machine(const Snapshot& snapshot)
    : tree_(snapshot.topology.parent.empty() ? tree_of_nodes(snapshot.pes) : snapshot.topology),
      depth_(tree_.parent.size(), 0) {
  if (tree_.latency_s.empty()) set_usual_costs(tree_, snapshot.pes);
  for (std::size_t v = 1; v < depth_.size(); ++v) depth_[v] = depth_[tree_.parent[v]] + 1;
}

std::uint32_t Machine::meeting(PeIndex p, PeIndex q) const {
  std::uint32_t a = tree_.vertex_of_pe[p], b = tree_.vertex_of_pe[q];
  while (a != b) {
    std::uint32_t& deeper = depth_[a] >= depth_[b] ? a : b;
    deeper = tree_.parent[deeper];
  }
  return a;
}

MessageCost Machine::between(PeIndex p, PeIndex q) const { return p == q ? kSamePe : at(meeting(p, q)); }

}  // namespace skein::lb
