// SPDX-License-Identifier: Apache-2.0
// The state of lazy balancing on a PE, which may have objects, decide, or both.
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

/// The shares for one sync point, by PE.
using Shares = std::vector<std::vector<std::byte>>;
struct Decider {
  double patience_s = 0;
  bool ends_if_silent = false;

  lb::lazy::Coordinator coordinator;  // on the PE that leads
  std::map<lb::lazy::Point, Shares> shares;
  lb::lazy::Point floor = 0;              // on the others: shares for it and earlier points are not needed
  std::optional<lb::lazy::Point> wanted;  // point to decide on, as soon as the helper is free
  bool stopped = false;

  DecisionThread decision;
  double began = 0, job_start = 0, last_asked = 0;  // by this PE's clock
  lb::lazy::Point last_point = 0;
  bool told_silence = false;
  bool crashed = false;  // the strategy has faulted; no other decision begins
  lb::LazyTrial trial;
  bool ends_lazy = false;  // the next decision ends lazy balancing
  std::uint64_t decisions = 0;
};

/// A share for a sync point that not all objects of this PE have come to.
struct OpenShare {
  lb::lazy::Point point;
  std::size_t missing;  ///< objects that have not come
  std::vector<std::byte> bytes;
};
struct Lazy {
  Decider decider;
  void (*release)() = nullptr;
  std::deque<OpenShare> open;  // rising
  lb::lazy::Point newest = 0;  // the newest point whose share was ever open
  std::size_t running = 0;     // objects of this PE
  bool come_and_go = false;    // objects come and go between LB steps
  std::uint64_t applications = 0;
};
extern PerRuntime<Lazy> lazy;

}  // namespace skein::balance
