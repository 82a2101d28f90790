// SPDX-License-Identifier: Apache-2.0
// A decision that is applied later than it was made: A, of the objects V that there were, becomes A' of those
// that there are, V'.
//
//   objects that are still there     go where A says; those that may not be moved any more stay
//   objects that have gone           drop out
//   objects that have come           by rule C: to the place of the object they were split off, if that is
//                                    known; else to that of the object nearest by position, if all have
//                                    positions; else, the heaviest first, to the PE that is then done first
//   memory limits                    hold: lb/kernel/memory_limit.hpp
//
// and is dropped when drift has made it worse than staying: with the present loads the fullest PE would be
// done later than if nothing were moved, which was not so when it was decided.
//
// After O. Pearce et al. (mode.hpp), whose three metrics of drift are here. Pure.
#pragma once
#include <cstdint>
#include <span>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// What has changed between two snapshots. Objects are known by their ids, and loads are to be of intervals
/// of one length.
struct LateDrift {
  double work_percent = 0;           // by how much more the total load is
  double changed_percent = 0;        // of the objects that are in both: those whose load changed by above 5 %
  double change_percent = 0;         // of the loads of these: what has changed of them, in all
  double imbalance_percent = 0;      // of A', by the present loads
  std::uint64_t gone = 0, come = 0;  // objects
};

/// What is judged, as sums over objects: added up over the parts of several processes they are those of the
/// whole.
struct LateSums {
  double work_then = 0, work_now = 0;
  double known = 0;       // objects that are in both
  double known_then = 0;  // their loads
  double changed = 0;     // of these: whose load changed by above 5 %
  double change = 0;      // of their loads
  double gone = 0, come = 0;
};
LateDrift drift_of(const LateSums& sums, double imbalance_percent);

/// What becomes of the decision on these objects before memory limits and whether it is dropped are looked
/// at.
struct LatePart {
  Decision decision;
  LateSums sums;
};
LatePart apply_late_part(const Snapshot& then, const Decision& decided, const Snapshot& now,
                         std::span<const std::uint64_t> parent_of = {});

struct LateDecision {
  Decision decision;  // of the objects that there are; they stay where they are if it was dropped
  LateDrift drift;
  bool dropped = false;
};

/// `parent_of`: empty, or for each object that there is the id of the one it was split off, or its own.
LateDecision apply_late(const Snapshot& then, const Decision& decided, const Snapshot& now,
                        std::span<const std::uint64_t> parent_of = {});

}  // namespace skein::lb
