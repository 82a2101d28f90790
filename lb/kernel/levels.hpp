// SPDX-License-Identifier: Apache-2.0
// Levels that run one after another (Objects::level): while one runs, the others cause no load.
#pragma once
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// One level of a snapshot, as a snapshot of its own.
struct Level {
  std::vector<ObjectIndex> objects;  // of the whole snapshot, rising
  Snapshot alone;
};

/// Returns each level that has objects, and the objects of no level as one more. Each level has all PEs, with
/// the share of their background that the level has of all load, without memory limits and cells, and with
/// the messages and interactions inside the level. O(n log n + edges + pins + levels PEs). Precondition:
/// there are levels.
std::vector<Level> levels_of(const Snapshot& snapshot);

/// Returns the part of a decision about the whole snapshot that concerns the level.
Decision decision_of(const Level& level, const Decision& whole);

}  // namespace skein::lb
