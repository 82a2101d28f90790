// SPDX-License-Identifier: Apache-2.0
// What a strategy's file defines and the table refers to: its keys and its function. The function is called
// with a valid snapshot of at least one object that has what the strategy's traits ask for, and returns a PE
// for each object, with pinned objects where they were.
#pragma once
#include <cstdint>
#include <span>

#include "skein/lb/strategy.hpp"

#define SKEIN_LB_DECLARE_STRATEGY(identifier) \
  std::span<const Key> identifier##_keys();   \
  Assignment assign_##identifier(const Snapshot& snapshot, const Options& options, std::uint64_t seed);

// Declares a distributed strategy: its function is what one PE does.
#define SKEIN_LB_DECLARE_DISTRIBUTED_STRATEGY(identifier) \
  std::span<const Key> identifier##_keys();               \
  std::unique_ptr<PeProcess> begin_##identifier(LocalPe local, const Options& options, std::uint64_t seed);

// Declares a strategy that can also split objects.
#define SKEIN_LB_DECLARE_SPLITTING_STRATEGY(identifier) \
  SKEIN_LB_DECLARE_STRATEGY(identifier)                 \
  Decision decide_##identifier(const Snapshot& snapshot, const Options& options, std::uint64_t seed);

// Declares a strategy that goes on from where it was at the step before.
#define SKEIN_LB_DECLARE_GOING_ON_STRATEGY(identifier) \
  Decision go_on_##identifier(const Snapshot& snapshot, const Options& options, std::uint64_t seed);

// Declares a parallel strategy: the part of one process.
#define SKEIN_LB_DECLARE_PARALLEL_STRATEGY(identifier)                                                      \
  Assignment assign_part_##identifier(const SnapshotPart& part, const Options& options, std::uint64_t seed, \
                                      Team& team);
