// SPDX-License-Identifier: Apache-2.0
// A decision that is applied later than it was made: A, a placement of the objects V that existed then,
// becomes A' of the objects V' that exist now.
//
//   objects that still exist         go where A says; those that may not move any more stay
//   objects that have gone           drop out
//   objects that have come           by rule C: to the place of the object they were split off, if that is
//                                    known; else to that of the object nearest by position, if all have
//                                    positions; else, the heaviest first, to the PE that is then done first
//   memory limits                    hold: lb/kernel/memory_limit.hpp
//
// The decision is dropped if drift has made it worse than staying: with the present loads the fullest PE
// would be done later than if nothing moved, although this was not so when it was made.
//
// The method, and its three metrics of drift, are those of O. Pearce et al. (mode.hpp). Pure.
#pragma once
#include <cstdint>
#include <span>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// The changes between two snapshots. Objects are matched by their ids; intervals must be equally long.
struct LateDrift {
  double work_percent = 0;           // growth of the total load
  double changed_percent = 0;        // share of the objects in both snapshots whose load changed by above 5 %
  double change_percent = 0;         // total change of loads of these objects, relative to their sum
  double imbalance_percent = 0;      // of A', by the present loads
  std::uint64_t gone = 0, come = 0;  // objects
};

/// The sums over objects from which drift follows. Added up over several processes' parts, they are those of
/// the whole.
struct LateSums {
  double work_then = 0, work_now = 0;
  double known = 0;       // objects in both snapshots
  double known_then = 0;  // their loads
  double changed = 0;     // objects in both whose load changed by above 5 %
  double change = 0;      // total change of known loads
  double gone = 0, come = 0;
};
LateDrift drift_of(const LateSums& sums, double imbalance_percent);

/// The result for some objects, before memory limits and dropping are considered.
struct LatePart {
  Decision decision;
  LateSums sums;
};
LatePart apply_late_part(const Snapshot& then, const Decision& decided, const Snapshot& now,
                         std::span<const std::uint64_t> parent_of = {});

struct LateDecision {
  Decision decision;  // of the present objects; they stay where they are if it was dropped
  LateDrift drift;
  bool dropped = false;
};

/// Applies `decided`, made on `then`, to the objects of `now`. `parent_of`: empty, or for each present object
/// the id of the object that it was split off, or its own id.
LateDecision apply_late(const Snapshot& then, const Decision& decided, const Snapshot& now,
                        std::span<const std::uint64_t> parent_of = {});

}  // namespace skein::lb
