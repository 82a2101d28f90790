// SPDX-License-Identifier: Apache-2.0
// A simulated run as a trace: the trace that would have been recorded had the run been real. So everything
// that shows recorded runs, or exports them for other tools, does so for simulated ones too.
#pragma once
#include <string>
#include <vector>

#include "skein/lb/simulate.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

/// Returns the run of `timeline`, which simulated `trace` with Policy::keep_bursts, as a trace: the events of
/// `trace` with simulated bursts and times of calls between them, the PEs, the first placement and the LB
/// steps. Of several calls without computing between them, the last one that may wait has all of their time.
/// An object whose first burst is not at 0 begins with a wait for nothing. An element's executions are
/// preceded by its waiting time, which recordings lack. `how` appears among the options of the run.
trace::Trace as_recorded(const trace::Trace& trace, const Timeline& timeline, const std::string& how);

/// Plays the run of a native program, whose trace lacks waiting times, on the PEs where it was recorded, with
/// messages and LB steps that take no time. The period is the trace's number of sync points for each of its
/// LB steps. Throws as simulate() does.
trace::Trace play_as_recorded(const trace::Trace& trace);

/// Returns Timeline::bursts of each object in the order of its stream.
std::vector<std::vector<BurstRecord>> bursts_by_object(const Timeline& timeline, std::size_t objects);

}  // namespace skein::simulate
