// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/neighbours.hpp"

namespace skein::lb {

Neighbours::Neighbours(const Snapshot& snapshot) : first_(snapshot.object_count() + 1, 0) {
  const CommGraph& graph = snapshot.graph;
  if (graph.empty()) return;
  const auto for_each_edge = [&](auto use) {
    for (ObjectIndex from = 0; from < snapshot.object_count(); ++from) {
      for (std::uint64_t e = graph.first[from]; e < graph.first[from + 1]; ++e) {
        if (graph.to[e] != from && graph.bytes[e] > 0) use(from, graph.to[e], graph.bytes[e]);
      }
    }
  };
  for_each_edge([&](ObjectIndex from, ObjectIndex to, float) { ++first_[from + 1], ++first_[to + 1]; });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  links_.resize(first_.back());
  std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
  for_each_edge([&](ObjectIndex from, ObjectIndex to, float bytes) {
    links_[next[from]++] = {to, bytes};
    links_[next[to]++] = {from, bytes};
  });
}

}  // namespace skein::lb
