// SPDX-License-Identifier: Apache-2.0
// An LB step by a distributed strategy: each PE decides about its own objects by messages with others, and no
// PE ever sees the objects of all.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "skein/lb/distributed.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::balance {

/// One step, its functions called in this order. All but begin() are collective.
class DistributedPlan {
 public:
  explicit DistributedPlan(lb::LocalPe local) : local_(std::move(local)) {}

  /// Throws what the strategy throws.
  void begin(const lb::Selection& strategy, std::uint64_t seed);
  void run();
  /// The PE of every object afterwards.
  lb::Assignment new_places() const;
  /// When each PE finishes without and with the moves, s.
  std::vector<double> finish_before() const;
  std::vector<double> finish_after() const;
  /// When each PE would finish, had the objects stayed at `places`. Collective, the same on all PEs.
  std::vector<double> finish_on(std::span<const int> places) const;

 private:
  lb::LocalPe local_;
  std::vector<std::unique_ptr<lb::PeProcess>> process_;  // one
};

/// Registers the messages. Once, on every PE, before the first message.
void start_distributed_plans();
/// With what this PE knows of its own objects. Collective.
DistributedPlan collect_for_distributed();

}  // namespace skein::balance
