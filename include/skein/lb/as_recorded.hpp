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
/// not at 0 begins with a wait for nothing. `how` is told among the options of the run. Throws
/// SimulationError for native programs, of whose waiting traces do not tell.
trace::Trace as_recorded(const trace::Trace& trace, const Timeline& timeline, const std::string& how);

/// Timeline::bursts, of each object in their order.
std::vector<std::vector<BurstRecord>> bursts_by_object(const Timeline& timeline, std::size_t objects);

}  // namespace skein::simulate
