// SPDX-License-Identifier: Apache-2.0
// Makes the snapshot that strategies see from the objects' measurements, in runs and simulations.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// Parts of one object that meet are merged if their load together is at most this fraction of a PE's load at
/// perfect balance.
inline constexpr double kLargestMerged = 0.25;

/// The measurements of an object in the interval that has ended.
struct MeasuredObject {
  std::uint64_t id = 0;
  PeIndex pe = 0;
  double load = 0;
  std::uint64_t bytes = 0;
  bool may_move = true;
  bool ended = false;  // it becomes an object without load that stays
  bool divisible = false;
  std::int32_t level = kNoLevel;
  std::optional<std::array<float, 3>> position = {};
};

struct Measurements {
  std::span<const MeasuredObject> objects;
  std::span<const std::uint32_t> node_of_pe;
  std::span<const double> speed_of_pe = {};  // empty: all PEs are alike
  const Topology* topology = nullptr;
  /// Messages between the objects; null if they were not recorded.
  const std::vector<CommEdge>* edges = nullptr;
  bool loads_are_events = false;
};

/// Makes the snapshot; its loads are those on a PE of speed 1. It has positions if all objects that have not
/// ended have one, splittable if any is divisible, and levels if any has one.
Snapshot make_snapshot(const Measurements& measured);

/// Moves the movable objects that are on PEs beyond the first `pes` to these PEs: the heaviest first, each to
/// the PE that is then done first. `speed`: by PE; empty: all PEs are alike.
void take_from_other_pes(std::span<MeasuredObject> objects, std::size_t pes,
                         std::span<const double> speed = {});

}  // namespace skein::lb
