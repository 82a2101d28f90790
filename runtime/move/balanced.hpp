// SPDX-License-Identifier: Apache-2.0
// A PE's state about its ranks from one LB step to the next.
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
  double load = 0;    // as strategies see it
  double busy_s = 0;  // time computed, without what the program excluded from measuring
  balance::IntervalShare::LoadIs load_is = balance::IntervalShare::LoadIs::time;
  std::optional<std::array<float, 3>> position = {};
};

using Edges = std::vector<load::TrafficLog::Entry>;
/// State of moving pages to other memory domains.
struct Following {
  FollowCosts costs;
  bool refused = false;
  int flag = MPOL_MF_MOVE_ALL;  // also pages that other processes see, until that is refused
};

struct Balanced {
  int load_counter = -1;  // negative: the load is time

  /// By rank.
  std::vector<int> placed_on;             // at the start
  std::vector<int> was_on;                // in the last interval
  std::vector<const char*> pinning_told;  // why it must not move, as this PE has said already

  std::vector<int> shared;             // ranks in this PE's last share
  std::vector<int> pinned;             // ranks pinned in the last snapshot
  std::vector<double> busy_s;          // seconds of the last snapshot's ranks; empty if loads are times
  std::vector<MeasuredRank> measured;  // those of this PE, rising
  Edges edges;                         // of one rank; kept to use its memory again

  Following following;
};
extern PerRuntime<Balanced> balanced;

}  // namespace skein::move
