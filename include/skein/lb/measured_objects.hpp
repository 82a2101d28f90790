// SPDX-License-Identifier: Apache-2.0
// From what was measured of each object to the snapshot that strategies see: the same in a run, of ranks or
// of elements, and in a simulation.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// An object in the interval that has ended.
struct MeasuredObject {
  std::uint64_t id = 0;
  PeIndex pe = 0;
  double load = 0;
  std::uint64_t bytes = 0;
  bool may_move = true;
  bool ended = false;  // it is an object without load that stays
  bool divisible = false;
  std::int32_t level = kNoLevel;
  std::optional<std::array<float, 3>> position = {};
};

struct Measurements {
  std::span<const MeasuredObject> objects;
  std::span<const std::uint32_t> node_of_pe;
  std::span<const double> speed_of_pe = {};  // empty: all PEs are alike
  const Topology* topology = nullptr;
  /// Messages between the objects; null where nobody looked.
  const std::vector<CommEdge>* edges = nullptr;
  bool loads_are_events = false;
};

/// Loads are those on a PE of speed 1. The snapshot has positions if all objects that have not ended have
/// one, splittable if any is divisible, and levels if any has one.
Snapshot make_snapshot(const Measurements& measured);

/// Puts those on none of the first `pes` PEs, which may move, on these: the heaviest first, each on the PE
/// that is done first then. `speed`: as above.
void take_from_other_pes(std::span<MeasuredObject> objects, std::size_t pes,
                         std::span<const double> speed = {});

}  // namespace skein::lb
