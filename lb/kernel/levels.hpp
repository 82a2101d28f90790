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

/// Returns how long the PEs compute until the last one is done, in seconds: the largest finish time, or where
/// objects have levels, the sum of the levels' largest finish times. O(n + levels (PEs + log n)).
double computing_seconds(const Snapshot& snapshot, const Decision& decision);

}  // namespace skein::lb
