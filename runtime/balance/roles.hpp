// SPDX-License-Identifier: Apache-2.0
// Which PEs have objects. Those that are reserved for deciding are the last ones of the job: so the PEs that
// strategies see, 0 to computing_pes() - 1, are the job's by their own numbers, and none is ever translated.
#pragma once

#include "runtime/net/transport.hpp"

namespace skein::balance {

/// Once, on all PEs alike, before anything is placed.
void reserve_pes(int count);
/// From here on that many: objects on those that are reserved now have to leave. On all PEs alike, in an LB
/// step; collective.
void reserve_instead(int count);

/// PEs that have objects: the others have none from the start, and are in no average.
int computing_pes();
inline bool computes(int pe) { return pe < computing_pes(); }
/// PEs that computed at the start: figures of intervals are of these.
int measured_pes();
/// The PE that makes decisions which one PE makes, and speaks for those that decide together: the first
/// reserved one, or PE 0.
inline int deciding_pe() { return computing_pes() < net::world.pes ? computing_pes() : 0; }
/// The reserved PE, of several that decide together, that decides about the objects of this computing PE.
/// Each has a block of computing PEs.
inline int decider_of(int pe) {
  return deciding_pe() +
         static_cast<int>(static_cast<long>(pe) * (net::world.pes - computing_pes()) / computing_pes());
}

}  // namespace skein::balance
