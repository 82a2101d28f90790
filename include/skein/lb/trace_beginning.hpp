// SPDX-License-Identifier: Apache-2.0
// The sync points of a recorded run, its beginning up to one of them, and others that are made of it.
#pragma once
#include <cstdint>
#include <vector>

#include "skein/lb/trace.hpp"

namespace skein::trace {

/// The sync points that each rank passes; of ranks that pass different numbers, the least one. Of a native
/// program, whose elements come and go: those that the job passes. An element that is made or split off
/// begins with as many as its maker has passed, as in a run.
std::uint64_t sync_points(const Trace& trace);

/// By object: the sync points that its maker had passed when it was made. 0 for ranks.
std::vector<std::uint64_t> first_points(const Trace& trace);

/// For a trace of the same objects: it has their names and communicators, and no events or LB steps yet.
TraceBuilder builder_like(const Trace& trace);

/// The run up to the `points`-th sync point of each object (1, 2, ...), at which it ends instead. Since sync
/// points are where all may be moved, nobody waits there for what another does behind its own; so what is cut
/// can be played. Messages that are under way there are sent and never taken. Objects that pass fewer stay
/// whole. Not for native programs, whose PEs meet no sync points: throws TraceError.
Trace beginning(const Trace& trace, std::uint64_t points);

}  // namespace skein::trace
