// SPDX-License-Identifier: Apache-2.0
// What processes of a team send each other: values of one type, by process.
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

/// Collective.
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

/// Collective. The same on all processes; exact up to 2^53.
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

/// Collective: throws StrategyError on all if any process has failed. Empty: this one has not.
inline void agree_on(const std::string& failure, Team& team) {
  if (any(!failure.empty(), team))
    throw StrategyError(failure.empty() ? "another of the processes that decide has failed" : failure);
}

}  // namespace skein::lb
