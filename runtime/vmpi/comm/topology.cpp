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

namespace {

/// The search for factors of a number that are as equal as can be.
struct EqualFactors {
  std::vector<int> divisors;  ///< of the number, ascending
  std::vector<int> chosen, best;

  static int spread(const std::vector<int>& factors) { return factors.front() - factors.back(); }

  /// Of two with the same spread, the one whose factors are greater, from the least on.
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
    // The last factor will be at most this root, which bounds what can come of the first.
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

/// `count` factors of `product`, not increasing, the greatest and the least as near to each other as can be.
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
