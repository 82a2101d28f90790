// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/comm/topology.hpp"

#include <algorithm>
#include <cmath>
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

std::span<const int> Topology::neighbours_of(int rank) const {
  const auto at = static_cast<std::size_t>(rank);
  const auto begin = static_cast<std::size_t>(rank == 0 ? 0 : index[at - 1]);
  return std::span<const int>(edges).subspan(begin, static_cast<std::size_t>(index[at]) - begin);
}

namespace {

Topology* new_topology(RankState& state, TopologyKind kind) {
  return new (state.memory.allocate(sizeof(Topology), alignof(Topology))) Topology(kind, &state.memory);
}

void assign(std::pmr::vector<int>& to, std::span<const int> from) { to.assign(from.begin(), from.end()); }

}  // namespace

Topology* make_topology(RankState& state, std::span<const int> dims, std::span<const int> periods, int rank) {
  Topology* const topology = new_topology(state, TopologyKind::cartesian);
  assign(topology->dims, dims);
  assign(topology->periods, periods);
  topology->coords.resize(dims.size());
  topology->position_of(rank, topology->coords);
  // Down and up in each dimension (MPI 4.1, 8.6).
  std::vector<int> position(topology->coords.begin(), topology->coords.end());
  for (int& at : position)
    for (const int step : {-1, 1}) {
      at += step;
      topology->sources.push_back(topology->rank_of(position));
      at -= step;
    }
  topology->destinations = topology->sources;
  return topology;
}

Topology* make_graph(RankState& state, std::span<const int> index, std::span<const int> edges, int rank) {
  Topology* const topology = new_topology(state, TopologyKind::graph);
  assign(topology->index, index);
  assign(topology->edges, edges);
  assign(topology->sources, topology->neighbours_of(rank));
  topology->destinations = topology->sources;
  return topology;
}

Topology* make_distributed_graph(RankState& state, const Neighbourhood& neighbourhood) {
  Topology* const topology = new_topology(state, TopologyKind::distributed_graph);
  assign(topology->sources, neighbourhood.sources);
  assign(topology->destinations, neighbourhood.destinations);
  topology->weighted = neighbourhood.weighted;
  if (!topology->weighted) return topology;
  assign(topology->source_weights, neighbourhood.source_weights);
  assign(topology->destination_weights, neighbourhood.destination_weights);
  return topology;
}

Topology* copy_topology(RankState& state, const Topology* topology) {
  if (!topology) return nullptr;
  Topology* const copy = new_topology(state, topology->kind);
  using Member = std::pmr::vector<int> Topology::*;
  for (const Member member : {&Topology::dims, &Topology::periods, &Topology::coords, &Topology::index,
                              &Topology::edges, &Topology::sources, &Topology::destinations,
                              &Topology::source_weights, &Topology::destination_weights})
    copy->*member = topology->*member;  // into memory of the slot: assignment keeps it
  copy->weighted = topology->weighted;
  return copy;
}

const char* fault_of_graph(std::span<const int> index, const int* edges) {
  int before = 0;
  for (const int end : index) {
    if (end < before) return "the index is negative or decreases";
    before = end;
  }
  if (before > 0 && !edges) return "edges is a null pointer";
  const auto nodes = static_cast<int>(index.size());
  for (int i = 0; i < before; ++i)
    if (edges[i] < 0 || edges[i] >= nodes) return "an edge leads to a node that the graph does not have";
  return nullptr;
}

void release_topology(RankState& state, Topology* topology) {
  if (!topology) return;
  topology->~Topology();
  state.memory.deallocate(topology, sizeof(Topology), alignof(Topology));
}

namespace {

/// A search for factors of a number that are as equal as possible.
struct EqualFactors {
  std::vector<int> divisors;  ///< of the number, ascending
  std::vector<int> chosen, best;

  static int spread(const std::vector<int>& factors) { return factors.front() - factors.back(); }

  /// Compares by spread, then by greater factors, from the least on.
  static bool better(const std::vector<int>& a, const std::vector<int>& b) {
    if (spread(a) != spread(b)) return spread(a) < spread(b);
    return std::lexicographical_compare(b.rbegin(), b.rend(), a.rbegin(), a.rend());
  }

  /// Tries all ways to complete `chosen` with `more` factors, none above the last, whose product is `left`.
  void search(int left, std::size_t more) {
    if (more == 0) {
      if (left == 1 && (best.empty() || better(chosen, best))) best = chosen;
      return;
    }
    // The last factor is at most this root, which bounds the spread for the first factor.
    const double root = std::pow(left, 1.0 / static_cast<double>(more)) + 1e-6;
    if (!best.empty() && !chosen.empty() && chosen.front() - root > spread(best)) return;
    for (const int factor : divisors) {
      if (factor > left || (!chosen.empty() && factor > chosen.back())) return;
      if (factor + 1e-3 < root || left % factor != 0) continue;
      chosen.push_back(factor);
      search(left / factor, more - 1);
      chosen.pop_back();
    }
  }
};

/// Returns `count` factors of `product`, not increasing, with the greatest and the least as near to each
/// other as possible.
std::vector<int> most_equal_factors(int product, std::size_t count) {
  EqualFactors factors;
  for (int low = 1; low <= product / low; ++low) {
    if (product % low != 0) continue;
    factors.divisors.push_back(low);
    if (low != product / low) factors.divisors.push_back(product / low);
  }
  std::sort(factors.divisors.begin(), factors.divisors.end());
  factors.search(product, count);
  return factors.best;
}

}  // namespace

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
  const std::vector<int> sizes = most_equal_factors(nodes, open.size());
  for (std::size_t k = 0; k < open.size(); ++k) dims[open[k]] = sizes[k];
  return true;
}

}  // namespace skein::vmpi
