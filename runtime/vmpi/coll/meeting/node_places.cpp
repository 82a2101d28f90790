// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/meeting/node_places.hpp"

#include <algorithm>
#include <utility>

#include "runtime/net/exchange.hpp"
#include "runtime/net/transport.hpp"

namespace skein::vmpi {
namespace {

int first_pe_of(int node) {
  return static_cast<int>(std::ranges::find(net::world.node_of, node) - net::world.node_of.begin());
}

}  // namespace

NodePlaces::NodePlaces(std::span<const int> pes) {
  std::vector<std::vector<int>> on(static_cast<std::size_t>(net::world.nodes));
  const auto node_of = [](int pe) { return net::world.node_of[static_cast<std::size_t>(pe)]; };
  for (const int pe : pes) on[static_cast<std::size_t>(node_of(pe))].push_back(pe);
  for (std::vector<int>& node : on) {
    std::ranges::sort(node);
    most_pes = std::max(most_pes, node.size());
  }
  first.assign(on.size(), -1);
  for (const int pe : pes) {
    const std::vector<int>& node = on[static_cast<std::size_t>(node_of(pe))];
    if (pe == node.front()) first[static_cast<std::size_t>(node_of(pe))] = static_cast<int>(of.size());
    of.push_back({node_of(pe), static_cast<int>(std::ranges::lower_bound(node, pe) - node.begin()), pe});
  }
  for (int node = 0; node < net::world.nodes; ++node) {
    const std::vector<int>& pes_there = on[static_cast<std::size_t>(node)];
    have_all_first = have_all_first && !pes_there.empty() && pes_there.front() == first_pe_of(node);
  }
  own_node = std::move(on[static_cast<std::size_t>(net::world.node)]);
}

bool NodePlaces::fits(std::size_t longest, RoundKind kind) const {
  return collectives::fits_across_nodes(static_cast<std::size_t>(net::world.nodes), most_pes, longest, kind);
}

static_assert(collectives::kLongestShown == net::Exchange::longest_block);

}  // namespace skein::vmpi
