// SPDX-License-Identifier: Apache-2.0
// Messages between the processes of a team: values of one type, by process.
#pragma once
#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "skein/lb/parallel.hpp"

namespace skein::lb {

template <class T>
using Lists = std::vector<std::vector<T>>;  // by process

/// Sends out[p] to process p and returns what each process sent here. Collective.
template <class T>
Lists<T> exchange_lists(const Lists<T>& out, Team& team) {
  static_assert(std::is_trivially_copyable_v<T>);
  Team::Blocks blocks(team.size());
  for (std::size_t p = 0; p < out.size(); ++p) {
    const auto bytes = std::as_bytes(std::span(out[p]));
    blocks[p].assign(bytes.begin(), bytes.end());
  }
  const Team::Blocks came = team.exchange(blocks);
  Lists<T> in(came.size());
  for (std::size_t p = 0; p < came.size(); ++p) {
    in[p].resize(came[p].size() / sizeof(T));
    if (!came[p].empty()) std::memcpy(in[p].data(), came[p].data(), came[p].size());
  }
  return in;
}

/// Collective reductions, equal on all processes; sums are exact up to 2^53.
inline double sum(double mine, Team& team) {
  team.sum({&mine, 1});
  return mine;
}
inline double largest(double mine, Team& team) {
  std::vector<double> all(team.size(), 0);
  all[team.rank()] = mine;
  team.sum(all);
  return *std::max_element(all.begin(), all.end());
}
inline bool any(bool mine, Team& team) { return sum(mine, team) > 0; }

/// Throws StrategyError on all processes if any gave a non-empty `failure`. Collective.
inline void agree_on(const std::string& failure, Team& team) {
  if (any(!failure.empty(), team))
    throw StrategyError(failure.empty() ? "another of the processes that decide has failed" : failure);
}

}  // namespace skein::lb
