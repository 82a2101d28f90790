// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/traffic.hpp"

#include <algorithm>

namespace skein::simulate {

std::vector<lb::CommEdge> Traffic::take() {
  std::vector<lb::CommEdge> all;
  all.reserve(used_);
  for (lb::CommEdge& edge : edges_) {
    if (edge.messages == 0) continue;
    all.push_back(edge);
    edge = free;
  }
  used_ = 0;
  std::sort(all.begin(), all.end(), [](const lb::CommEdge& a, const lb::CommEdge& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  return all;
}

void Traffic::take_of(lb::ObjectIndex from, std::vector<lb::CommEdge>& out) {
  for (lb::CommEdge& taken : taken_[from]) {
    const lb::CommEdge& all = place(from, taken.to);
    if (all.messages > taken.messages)
      out.push_back({from, taken.to, all.bytes - taken.bytes, all.messages - taken.messages});
    taken = all;
  }
}

void Traffic::grow() {
  LargeVector<lb::CommEdge> old(2 * edges_.size(), free);
  std::swap(old, edges_);
  for (const lb::CommEdge& edge : old)
    if (edge.messages != 0) place(edge.from, edge.to) = edge;
}

}  // namespace skein::simulate
