// SPDX-License-Identifier: Apache-2.0
// Counts the sync points of a recorded run, cuts the run at one of them, and merges several recordings.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "skein/lb/trace.hpp"

namespace skein::trace {

/// Returns the number of sync points that each rank passes, or the least one if ranks differ. For a native
/// program, whose elements come and go, returns the number that the job passes. An element that is made or
/// split off starts with the number that its maker has passed, as in a run.
std::uint64_t sync_points(const Trace& trace);

/// Returns by object how many sync points its maker had passed when it was made; 0 for ranks.
std::vector<std::uint64_t> first_points(const Trace& trace);

/// Returns a builder for a trace of the same objects, with their names and communicators, yet without events.
TraceBuilder builder_like(const Trace& trace, Header header);

/// Returns the run up to the `points`-th sync point of each object (1, 2, ...), where it ends instead. Since
/// all objects may be moved at sync points, none waits there for what another does behind its own; so the cut
/// trace can be played. Messages under way at the cut are sent and never received. Objects that pass fewer
/// points stay whole. Throws TraceError for native programs, whose PEs meet no sync points.
Trace beginning(const Trace& trace, std::uint64_t points);

/// Merges several recordings of the same run into one without their disturbances. Other activity of a machine
/// only makes bursts longer. So each stretch of an object's bursts between two calls that may wait comes from
/// the recording in which it took least. It is the stretch, not the burst, because recording adds short
/// bursts to the next one. Long bursts are more often disturbed in all recordings than short ones, so traces
/// of few ranks need more recordings than those of many. Counters and recorded LB steps are left out. Throws
/// TraceError if the objects do not do the same, and for native programs, whose entry methods run in varying
/// order.
Trace least(std::span<const Trace> recordings);

}  // namespace skein::trace
