// SPDX-License-Identifier: Apache-2.0
// A simulated run as a trace: what would have been recorded had it been a real one. So all that shows
// recorded runs, or hands them to tools of others, does it for simulated ones.
#pragma once
#include <string>
#include <vector>

#include "skein/lb/simulate.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

/// The events of `trace`, which was simulated with Policy::keep_bursts, with the bursts that the simulation
/// had and the times of calls between them; its PEs, its first placement, its LB steps. Of calls without
/// computing between them the last one that may wait has all of their time. An object whose first burst is
/// not at 0 begins with a wait for nothing. An element's executions have what it waited before them, of which
/// recorded ones do not tell. `how` is told among the options of the run.
trace::Trace as_recorded(const trace::Trace& trace, const Timeline& timeline, const std::string& how);

/// The run of a native program, for whose waiting its trace has no times, played on the PEs where it was
/// recorded, with messages and LB steps that take no time. Steps are as many sync points from each other as
/// there are in the trace for each. Throws as simulate() does.
trace::Trace play_as_recorded(const trace::Trace& trace);

/// Timeline::bursts, of each object in the order of its stream.
std::vector<std::vector<BurstRecord>> bursts_by_object(const Timeline& timeline, std::size_t objects);

}  // namespace skein::simulate
