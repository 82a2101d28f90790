// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/comm/topology.hpp"

#include <algorithm>
#include <new>

#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

int Topology::rank_of(std::span<const int> position) const {
  int rank = 0;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    int at = position[d];
    if (at < 0 || at >= dims[d]) {
      if (!periods[d]) return MPI_PROC_NULL;
      at %= dims[d];
      if (at < 0) at += dims[d];
    }
    rank = rank * dims[d] + at;
  }
  return rank;
}

void Topology::position_of(int rank, std::span<int> position) const {
  for (std::size_t d = dims.size(); d-- > 0;) {
    if (d < position.size()) position[d] = rank % dims[d];
    rank /= dims[d];
  }
}

Topology* make_topology(RankState& state, std::span<const int> dims, std::span<const int> periods, int rank) {
  auto* const topology =
      new (state.memory.allocate(sizeof(Topology), alignof(Topology))) Topology(&state.memory);
  topology->dims.assign(dims.begin(), dims.end());
  topology->periods.assign(periods.begin(), periods.end());
  topology->coords.resize(dims.size());
  topology->position_of(rank, topology->coords);
  return topology;
}

void release_topology(RankState& state, Topology* topology) {
  if (!topology) return;
  topology->~Topology();
  state.memory.deallocate(topology, sizeof(Topology), alignof(Topology));
}

bool balance_dims(int nodes, std::span<int> dims) {
  std::vector<std::size_t> open;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == 0) {
      open.push_back(d);
    } else if (nodes % dims[d] != 0) {
      return false;
    } else {
      nodes /= dims[d];
    }
  }
  if (open.empty()) return nodes == 1;
  // The largest divisor not above the k-th root, dimension by dimension from the smallest: sizes end up as
  // near to each other as the divisors allow.
  std::vector<int> sizes;
  for (std::size_t left = open.size(); left > 1; --left) {
    int best = 1;
    for (int candidate = 1; candidate <= nodes; ++candidate) {
      long power = 1;
      for (std::size_t k = 0; k < left && power <= nodes; ++k) power *= candidate;
      if (power > nodes) break;
      if (nodes % candidate == 0) best = candidate;
    }
    sizes.push_back(best);
    nodes /= best;
  }
  sizes.push_back(nodes);
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  for (std::size_t k = 0; k < open.size(); ++k) dims[open[k]] = sizes[k];
  return true;
}

}  // namespace skein::vmpi
