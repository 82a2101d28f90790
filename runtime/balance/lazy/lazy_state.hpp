// SPDX-License-Identifier: Apache-2.0
// What a PE keeps of lazy balancing, as one that has objects and as one that decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "runtime/balance/lazy/decision_thread.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "skein/lb/lazy.hpp"
#include "skein/lb/live_mode.hpp"

namespace skein::balance {

/// What has come of one sync point, by PE.
using Shares = std::vector<std::vector<std::byte>>;
struct Decider {
  double patience_s = 0;
  bool ends_if_silent = false;

  lb::lazy::Coordinator coordinator;  // on the PE that leads
  std::map<lb::lazy::Point, Shares> shares;
  lb::lazy::Point floor = 0;              // on the others: shares for it and earlier points are not needed
  std::optional<lb::lazy::Point> wanted;  // to decide on, as soon as the helper has nothing else
  bool stopped = false;

  DecisionThread decision;
  double began = 0, job_start = 0, last_asked = 0;  // by this PE's clock
  lb::lazy::Point last_point = 0;
  bool told_silence = false;
  bool crashed = false;  // the strategy, for good
  lb::LazyTrial trial;
  bool ends_lazy = false;  // with the next decision
  std::uint64_t decisions = 0;
};

/// For a sync point that not all objects of this PE have come to.
struct OpenShare {
  lb::lazy::Point point;
  std::size_t missing;  ///< objects
  std::vector<std::byte> bytes;
};
struct Lazy {
  Decider decider;
  void (*release)() = nullptr;
  std::deque<OpenShare> open;  // rising
  lb::lazy::Point newest = 0;  // that was ever open
  std::size_t running = 0;     // objects of this PE
  bool come_and_go = false;    // objects
  std::uint64_t applications = 0;
};
extern PerRuntime<Lazy> lazy;

}  // namespace skein::balance
