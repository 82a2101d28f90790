// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/traffic.hpp"

#include <algorithm>

namespace skein::simulate {

std::vector<lb::CommEdge> Traffic::take() {
  std::vector<lb::CommEdge> all;
  all.reserve(edges_.size());
  for (const auto& [ends, edge] : edges_)
    all.push_back({static_cast<lb::ObjectIndex>(ends >> 32), static_cast<lb::ObjectIndex>(ends), edge.bytes,
                   edge.messages});
  std::sort(all.begin(), all.end(), [](const lb::CommEdge& a, const lb::CommEdge& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  edges_.clear();
  return all;
}

}  // namespace skein::simulate
