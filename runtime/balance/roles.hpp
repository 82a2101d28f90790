// SPDX-License-Identifier: Apache-2.0
// Which PEs have objects, and which decide. Those that decide for the others are the last ones of the job,
// and may be reserved for it: so the PEs that strategies see, 0 to computing_pes() - 1, are the job's by
// their own numbers, and none is ever translated.
#pragma once

#include "runtime/net/transport.hpp"
#include "skein/lb/mode.hpp"

namespace skein::balance {

/// Once, on all PEs alike, before anything is placed.
void assign_roles(const lb::Mode& mode);
/// From here on that many only decide: objects on those that are reserved now have to leave. On all PEs
/// alike, in an LB step; collective.
void reserve_instead(int count);

/// PEs that have objects: the others have none from the start, and are in no average.
int computing_pes();
inline bool computes(int pe) { return pe < computing_pes(); }
/// PEs that computed at the start: figures of intervals are of these.
int measured_pes();
/// How many decide for all; 0: all, each for itself.
int deciding_pes();
/// The PE that makes decisions which one PE makes, and speaks for those that decide together: the first of
/// those that decide, or PE 0.
inline int deciding_pe() { return deciding_pes() > 0 ? net::world.pes - deciding_pes() : 0; }
/// The PE, of several that decide together, that decides about the objects of this computing PE. Each has a
/// block of computing PEs.
inline int decider_of(int pe) {
  return deciding_pe() + static_cast<int>(static_cast<long>(pe) * deciding_pes() / computing_pes());
}

}  // namespace skein::balance
