// SPDX-License-Identifier: Apache-2.0
// What PEs of a node take from each other when they compute at a time (Platform::contention), taken out of
// recorded bursts. Pure.
//
// A trace tells what each object computed between two sync points. PEs are taken to begin such an interval
// together and to compute without a break: while k of a node have not yet done all that they have in it,
// what one of them computes takes contention[k - 1] times as long as alone.
#pragma once
#include <string>

#include "skein/lb/platform.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

/// Why nothing can be said of how the PEs of a recording got into each other's way; empty: it can.
std::string why_contention_stays(const trace::Trace& trace);

/// With the bursts that its objects would have had alone on their nodes; the recording was on the first PEs
/// of that platform. A copy, as it is, where the platform has no contention or why_contention_stays().
trace::Trace without_contention(const trace::Trace& trace, const Platform& recorded_on);

}  // namespace skein::simulate
