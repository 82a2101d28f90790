// SPDX-License-Identifier: Apache-2.0
// Several recordings of the same run as one, without what disturbed each of them.
//
// Whatever else a machine does only makes bursts longer. So of each stretch of an object's bursts between two
// calls that may wait that recording is taken in which it took least. The stretch, not the burst: within it
// recording adds short bursts to the next one. Long bursts are more often disturbed in all recordings than
// short ones, so traces of few ranks need more recordings than those of many.
#pragma once
#include <span>

#include "skein/lb/trace.hpp"

namespace skein::trace {

/// Counters and recorded LB steps are left out. Throws TraceError where the objects do not do the same, and
/// for native programs, whose entry methods run in another order each time.
Trace least(std::span<const Trace> recordings);

}  // namespace skein::trace
