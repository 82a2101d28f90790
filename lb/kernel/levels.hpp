// SPDX-License-Identifier: Apache-2.0
// Levels that run one after another (Objects::level): while one runs, others are no load.
#pragma once
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// One level of a snapshot, as a snapshot of its own.
struct Level {
  std::vector<ObjectIndex> objects;  // of the whole one, rising
  Snapshot alone;
};

/// Each level that has objects, and those of no level as one more. All PEs are in each, with the share of
/// their background that the level has of all load, and without memory limits and cells; of messages and
/// interactions there is what objects of the level have with each other. O(n log n + edges + pins + levels
/// PEs). Precondition: there are levels.
std::vector<Level> levels_of(const Snapshot& snapshot);

/// What of a decision about the whole snapshot is about the level.
Decision decision_of(const Level& level, const Decision& whole);

}  // namespace skein::lb
