// SPDX-License-Identifier: Apache-2.0
// An LB step by a distributed strategy: each PE decides about its own objects by messages with others, and no
// PE ever sees the objects of all.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "skein/lb/distributed.hpp"
#include "skein/lb/planner.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::balance {

/// One step, its functions called in this order. Without begin() nothing moves.
class DistributedPlan {
 public:
  explicit DistributedPlan(lb::LocalPe local) : local_(std::move(local)) {}

  /// Throws what the strategy throws.
  void begin(const lb::Selection& strategy, std::uint64_t seed);

  /// What is decided. All PEs get an equal one.
  struct Outcome {
    lb::FinishTimes before, after;  ///< without and with the moves; of each PE if each_pe_is_told()
    bool moves;
  };
  /// Collective.
  Outcome run();
  /// The objects of other PEs that come to this one.
  std::vector<lb::ObjectIndex> arrivals() const;

 private:
  /// That this PE has after the moves, of those that could.
  const std::vector<lb::LocalObject>& objects() const;

  lb::LocalPe local_;
  std::vector<std::unique_ptr<lb::PeProcess>> process_;  // one, once it has begun
};

}  // namespace skein::balance
