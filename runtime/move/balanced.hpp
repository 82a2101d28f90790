// SPDX-License-Identifier: Apache-2.0
// What a PE keeps of its ranks from one LB step to the next.
#pragma once

#include <linux/mempolicy.h>

#include <array>
#include <optional>
#include <vector>

#include "runtime/balance/interval_sum.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/load/traffic_log.hpp"
#include "runtime/move/follow_rule.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::move {

struct MeasuredRank {
  Rank* rank;
  double load = 0;    // what strategies see
  double busy_s = 0;  // what it computed, but for what the program did not want to be measured
  balance::IntervalShare::LoadIs load_is = balance::IntervalShare::LoadIs::time;
  std::optional<std::array<float, 3>> position = {};
};

using Edges = std::vector<load::TrafficLog::Entry>;
/// Of pages to another memory domain.
struct Following {
  FollowCosts costs;
  bool refused = false;
  int flag = MPOL_MF_MOVE_ALL;  // those of others, too, until that is refused
};

struct Balanced {
  int load_counter = -1;  // negative: the load is time

  /// By rank.
  std::vector<int> placed_on;             // at the start
  std::vector<int> was_on;                // in the last interval
  std::vector<const char*> pinning_told;  // why it must not move, as far as this PE has said so

  std::vector<int> shared;             // of the last share of all ranks here
  std::vector<int> pinned;             // by the last snapshot
  std::vector<double> busy_s;          // of it, by rank; empty where loads are times
  std::vector<MeasuredRank> measured;  // those of this PE, rising
  Edges edges;                         // of one rank, for the memory

  Following following;
};
extern PerRuntime<Balanced> balanced;

}  // namespace skein::move
