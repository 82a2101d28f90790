// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "skein/lb/tune.hpp"

namespace skein::tune {
namespace {

// Without repetitions, in the order given.
template <class Value>
std::vector<Value> each_once(std::span<const Value> values) {
  std::vector<Value> kept;
  for (const Value& value : values)
    if (std::ranges::find(kept, value) == kept.end()) kept.push_back(value);
  return kept;
}

}  // namespace

std::vector<Configuration> configurations(const Space& space) {
  std::vector<Configuration> balanced, plain;
  for (const std::uint32_t pes : each_once<std::uint32_t>(space.pes))
    for (const std::uint32_t ranks : each_once<std::uint32_t>(space.ranks)) {
      if (ranks < pes) continue;
      for (const std::string& strategy : each_once<std::string>(space.strategies)) {
        if (strategy == "none" || pes == 1 || ranks == pes) {
          const Configuration still{"none", 1, ranks, pes};
          if (std::ranges::find(plain, still) == plain.end()) plain.push_back(still);
          continue;
        }
        for (const std::uint64_t period : each_once<std::uint64_t>(space.periods))
          balanced.push_back({strategy, period, ranks, pes});
      }
    }
  if (plain.empty() && balanced.empty())
    throw TuneError(
        "nothing can be tried: each number of ranks is smaller than each number of PEs, or one of "
        "strategies, periods, "
        "ranks and PEs is empty; --pes chooses fewer PEs");
  plain.insert(plain.end(), balanced.begin(), balanced.end());
  return plain;
}

}  // namespace skein::tune
