// SPDX-License-Identifier: Apache-2.0
// Scotch as a partitioner: fresh mapping, remapping with a migration cost, mapping onto a tree of a machine.
// F. Pellegrini, "Scotch and libScotch 7.0 User's Guide".
#include "lb/libraries/scotch_parts.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace {

using skein::lb::Context;
using skein::lb::Owned;
using skein::lb::PartitionRequest;

std::vector<SCOTCH_Num> numbers(std::span<const std::int32_t> values) {
  return {values.begin(), values.end()};
}

SCOTCH_Num* or_null(std::vector<SCOTCH_Num>& values) { return values.empty() ? nullptr : values.data(); }

/// A Scotch graph that reads its owner's arrays, which must outlive it.
struct Graph : Owned<SCOTCH_Graph, SCOTCH_graphExit> {
  Graph() { SCOTCH_graphInit(&value); }
  bool build(std::vector<SCOTCH_Num>& first, std::vector<SCOTCH_Num>& weight,
             std::vector<SCOTCH_Num>& neighbour, std::vector<SCOTCH_Num>& edge_weight) {
    const auto vertices = static_cast<SCOTCH_Num>(weight.size());
    const auto edges = static_cast<SCOTCH_Num>(neighbour.size());
    // Scotch requires an array even if there are no edges.
    neighbour.reserve(1);
    return SCOTCH_graphBuild(&value, 0, vertices, first.data(), nullptr, weight.data(), nullptr, edges,
                             neighbour.data(), or_null(edge_weight)) == 0;
  }
};

struct Strategy : Owned<SCOTCH_Strat, SCOTCH_stratExit> {
  explicit Strategy(const PartitionRequest& request) {
    SCOTCH_stratInit(&value);
    const SCOTCH_Num remap = request.old_part.empty() ? 0 : SCOTCH_STRATREMAP;
    const SCOTCH_Num flags = skein::lb::flags_of(request.flavour) | remap;
    SCOTCH_stratGraphMapBuild(&value, flags, static_cast<SCOTCH_Num>(request.part_weight.size()),
                              request.tolerance);
  }
};

/// Scotch's target architecture: k parts at equal distances, or the leaves of a tree.
class Architecture : public Owned<SCOTCH_Arch, SCOTCH_archExit> {
 public:
  Architecture() { SCOTCH_archInit(&value); }

  bool build(const PartitionRequest& request, Context& context) {
    if (!request.tree_parent.empty()) return build_tree(request, context);
    const auto parts = static_cast<SCOTCH_Num>(request.part_weight.size());
    if (std::ranges::all_of(request.part_weight, [&](auto w) { return w == request.part_weight[0]; }))
      return SCOTCH_archCmplt(&value, parts) == 0;
    const std::vector<SCOTCH_Num> weight = numbers(request.part_weight);
    return SCOTCH_archCmpltw(&value, parts, weight.data()) == 0;
  }

 private:
  /// Builds a decomposition of the graph of the tree's links; only the leaves can be mapped to.
  bool build_tree(const PartitionRequest& request, Context& context) {
    const auto& parent = request.tree_parent;
    const std::size_t vertices = parent.size(), parts = request.part_weight.size();
    std::vector<SCOTCH_Num> first(vertices + 1, 0), neighbour(2 * (vertices - 1)), length(neighbour.size());
    const auto for_each_link = [&](auto use) {
      for (std::size_t v = 1; v < vertices; ++v) {
        use(v, static_cast<std::size_t>(parent[v]), request.tree_length[v]);
        use(static_cast<std::size_t>(parent[v]), v, request.tree_length[v]);
      }
    };
    for_each_link([&](std::size_t from, std::size_t, SCOTCH_Num) { ++first[from + 1]; });
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<SCOTCH_Num> next = first;
    for_each_link([&](std::size_t from, std::size_t to, SCOTCH_Num link) {
      const auto at = static_cast<std::size_t>(next[from]++);
      neighbour[at] = static_cast<SCOTCH_Num>(to);
      length[at] = link;
    });
    std::vector<SCOTCH_Num> weight(vertices - parts, 1), leaves(parts);
    weight.insert(weight.end(), request.part_weight.begin(), request.part_weight.end());
    std::iota(leaves.begin(), leaves.end(), static_cast<SCOTCH_Num>(vertices - parts));
    Graph plain, links;
    return plain.build(first, weight, neighbour, length) &&
           SCOTCH_contextBindGraph(&context.value, &plain.value, &links.value) == 0 &&
           SCOTCH_archBuild2(&value, &links.value, static_cast<SCOTCH_Num>(parts), leaves.data()) == 0;
  }
};

}  // namespace

extern "C" const char* SKEIN_LB_PARTITION(const PartitionRequest& request, std::span<std::int32_t> part) {
  std::vector<SCOTCH_Num> first = numbers(request.first), neighbour = numbers(request.neighbour);
  std::vector<SCOTCH_Num> edge_weight = numbers(request.edge_weight), weight = numbers(request.vertex_weight);
  Context context(request.seed);
  // Functions that build an architecture take no context.
  SCOTCH_randomSeed(static_cast<SCOTCH_Num>(request.seed >> 1));
  SCOTCH_randomReset();
  Graph plain, graph;
  Architecture architecture;
  if (!plain.build(first, weight, neighbour, edge_weight)) return "SCOTCH_graphBuild failed";
  if (SCOTCH_contextBindGraph(&context.value, &plain.value, &graph.value) != 0)
    return "SCOTCH_contextBindGraph failed";
  if (!architecture.build(request, context)) return "the target architecture cannot be built";

  Strategy strategy(request);
  std::vector<SCOTCH_Num> result =
      request.fixed.empty() ? std::vector<SCOTCH_Num>(weight.size(), -1) : numbers(request.fixed);
  std::vector<SCOTCH_Num> old_part = numbers(request.old_part), move_cost = numbers(request.move_cost);
  // Scotch looks up the part of every vertex: a vertex without a part gets one that costs nothing to leave.
  for (SCOTCH_Num& p : old_part) p = std::max(p, SCOTCH_Num{0});
  int failed = 0;
  if (old_part.empty()) {
    failed = (request.fixed.empty() ? SCOTCH_graphMap : SCOTCH_graphMapFixed)(
        &graph.value, &architecture.value, &strategy.value, result.data());
  } else {
    failed = (request.fixed.empty() ? SCOTCH_graphRemap : SCOTCH_graphRemapFixed)(
        &graph.value, &architecture.value, old_part.data(), 1, move_cost.data(), &strategy.value,
        result.data());
  }
  if (failed != 0) return "the mapping failed";
  std::ranges::transform(result, part.begin(), [](SCOTCH_Num p) { return static_cast<std::int32_t>(p); });
  return nullptr;
}
