// SPDX-License-Identifier: Apache-2.0
// Declares what a strategy's file defines for the table: its keys and its function. The function gets a valid
// snapshot of at least one object that has what the strategy's traits ask for, and returns a PE for each
// object; pinned objects stay where they were.
#pragma once
#include <cstdint>
#include <span>

#include "skein/lb/strategy.hpp"

#define SKEIN_LB_DECLARE_STRATEGY(identifier) \
  std::span<const Key> identifier##_keys();   \
  Assignment assign_##identifier(const Snapshot& snapshot, const Options& options, std::uint64_t seed);

// Declares a distributed strategy, whose function makes one PE's part.
#define SKEIN_LB_DECLARE_DISTRIBUTED_STRATEGY(identifier) \
  std::span<const Key> identifier##_keys();               \
  std::unique_ptr<PeProcess> begin_##identifier(LocalPe local, const Options& options, std::uint64_t seed);

// Declares a strategy that can also split objects.
#define SKEIN_LB_DECLARE_SPLITTING_STRATEGY(identifier) \
  SKEIN_LB_DECLARE_STRATEGY(identifier)                 \
  Decision decide_##identifier(const Snapshot& snapshot, const Options& options, std::uint64_t seed);

// Declares a strategy that continues from its last step.
#define SKEIN_LB_DECLARE_GOING_ON_STRATEGY(identifier) \
  Decision go_on_##identifier(const Snapshot& snapshot, const Options& options, std::uint64_t seed);

// Declares a parallel strategy, whose function decides for one process.
#define SKEIN_LB_DECLARE_PARALLEL_STRATEGY(identifier)                                                      \
  Assignment assign_part_##identifier(const SnapshotPart& part, const Options& options, std::uint64_t seed, \
                                      Team& team);
