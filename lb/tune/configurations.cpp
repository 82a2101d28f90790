// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "skein/lb/tune.hpp"

namespace skein::tune {
namespace {

/// Without repetitions, in the order given.
template <class Value>
std::vector<Value> each_once(std::span<const Value> values) {
  std::vector<Value> kept;
  for (const Value& value : values)
    if (std::ranges::find(kept, value) == kept.end()) kept.push_back(value);
  return kept;
}

/// Where nothing can move, `none` on as many PEs is as good, and on more it is better.
bool can_balance(const lb::Mode& mode, std::uint64_t period, std::uint32_t ranks, std::uint32_t pes) {
  const auto reserved = static_cast<std::uint32_t>(mode.reserved_pes());
  return pes > reserved + 1 && ranks > pes - reserved && !(mode.is_lazy() && period == 0);
}

/// With the numbers of PEs that may decide together on so many: all, or, of those that only decide, a
/// quarter, where each of the others has 4 / 3 of the work.
std::vector<lb::Mode> modes_of(const Space& space, const std::string& strategy, std::uint32_t pes) {
  std::vector<lb::Mode> modes = space.modes;
  const auto found = space.most_deciding.find(strategy);
  const std::uint32_t known = found == space.most_deciding.end() ? 1 : found->second;
  for (lb::Mode mode : space.modes) {
    const std::uint32_t most = std::min(known, mode.reserved ? pes / 4 : pes);
    for (std::uint32_t deciding = 2; mode.deciding_pes > 0 && deciding <= most; deciding *= 2) {
      mode.deciding_pes = static_cast<int>(deciding);
      modes.push_back(mode);
    }
  }
  return each_once<lb::Mode>(modes);
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
        }
        if (strategy == "none") continue;
        for (const std::uint64_t period : each_once<std::uint64_t>(space.periods))
          for (const lb::Mode& mode : modes_of(space, strategy, pes))
            if (can_balance(mode, period, ranks, pes))
              balanced.push_back({strategy, period, ranks, pes, lb::to_string(mode)});
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
