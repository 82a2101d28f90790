// SPDX-License-Identifier: Apache-2.0
// The beginning of a recorded run.
#pragma once
#include <cstdint>

#include "skein/lb/trace.hpp"

namespace skein::trace {

// The sync points that each object passes; of objects that pass different numbers, the least one.
std::uint64_t sync_points(const Trace& trace);

// The run up to the `points`-th sync point of each object (1, 2, ...), at which it ends instead. Since sync
// points are where all may be moved, nobody waits there for what another does behind its own; so what is cut
// can be played. Messages that are under way there are sent and never taken. Objects that pass fewer stay
// whole.
Trace beginning(const Trace& trace, std::uint64_t points);

}  // namespace skein::trace
