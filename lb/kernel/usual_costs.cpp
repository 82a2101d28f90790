// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/usual_costs.hpp"

#include <utility>

namespace skein::lb {
namespace {

/// Measured by `skein lb compare` on meshes with hot spots, the larger of 1,024 objects on 64 PEs and 16,384
/// on 512, on a 2-core x86-64 of 2025: ns per object, PE and edge.
constexpr std::pair<std::string_view, double> kUsualElementNs[] = {
    {"none", 2},
    {"rotate", 3},
    {"random", 2},
    {"greedy", 7},
    {"greedy-refine", 11},
    {"refine", 12},
    {"refine-comm", 60},
    {"rcb", 95},
    {"sfc", 31},
    {"koradi", 7000},
    {"bipart", 960},
    {"scotch", 1200},
    {"scotch-refine", 1140},
    {"scotch-topo", 4800},
    {"metis", 2100},
    {"zoltan", 9000},
    {"hyper", 8100},
    {"nuco", 30},
    {"hwtopo", 90},
    {"hierarchical", 45},
    {"enzo", 21},
    {"move-split", 22},
    {"diffusion", 110},
    {"gossip", 2700},
    {"ccm", 230000},  // on 65,536 objects and 8,192 PEs: all rounds together, as of gossip
    {"offline", 50},
    // The predictions of auto; the strategies that it tries are added.
    {"auto", 60},
};

}  // namespace

std::optional<double> usual_element_ns(std::string_view strategy) {
  for (const auto& [name, ns] : kUsualElementNs)
    if (name == strategy) return ns;
  return std::nullopt;
}

}  // namespace skein::lb
