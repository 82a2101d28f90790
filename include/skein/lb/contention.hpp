// SPDX-License-Identifier: Apache-2.0
// How much PEs of a node slow each other down when they compute at the same time (Platform::contention), and
// how this is taken out of recorded bursts. Pure.
//
// A trace tells what each object computed between two sync points. The PEs of a node are assumed to begin
// such an interval together and to compute without a break: while k of them have work left in the interval,
// the work of each takes contention[k - 1] times as long as alone.
#pragma once
#include <string>

#include "skein/lb/platform.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

/// Returns why the slowdown of the recording's PEs by each other cannot be determined; empty if it can.
std::string why_contention_stays(const trace::Trace& trace);

/// Returns the trace with the bursts that its objects would have had alone on their nodes. The recording was
/// made on the first PEs of `recorded_on`. Returns an unchanged copy if that platform has no contention or if
/// why_contention_stays() gives a reason.
trace::Trace without_contention(const trace::Trace& trace, const Platform& recorded_on);

}  // namespace skein::simulate
