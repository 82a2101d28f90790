// SPDX-License-Identifier: Apache-2.0
// The sync points of a recorded run, its beginning up to one of them, and others that are made of it.
#pragma once
#include <cstdint>
#include <span>
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
TraceBuilder builder_like(const Trace& trace, Header header);

/// The run up to the `points`-th sync point of each object (1, 2, ...), at which it ends instead. Since sync
/// points are where all may be moved, nobody waits there for what another does behind its own; so what is cut
/// can be played. Messages that are under way there are sent and never taken. Objects that pass fewer stay
/// whole. Not for native programs, whose PEs meet no sync points: throws TraceError.
Trace beginning(const Trace& trace, std::uint64_t points);

/// Several recordings of the same run as one, without what disturbed each of them. Whatever else a machine
/// does only makes bursts longer. So of each stretch of an object's bursts between two calls that may wait
/// that recording is taken in which it took least. The stretch, not the burst: within it recording adds short
/// bursts to the next one. Long bursts are more often disturbed in all recordings than short ones, so traces
/// of few ranks need more recordings than those of many. Counters and recorded LB steps are left out. Throws
/// TraceError where the objects do not do the same, and for native programs, whose entry methods run in
/// another order each time.
Trace least(std::span<const Trace> recordings);

}  // namespace skein::trace
