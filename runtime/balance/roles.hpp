// SPDX-License-Identifier: Apache-2.0
// Which PEs have objects, and which decide. Those that decide for the others are the last ones of the job,
// and may be reserved for it. So strategies see PEs 0 to computing_pes() - 1 by their own numbers, and none
// is ever translated.
#pragma once

#include "runtime/net/transport.hpp"
#include "skein/lb/mode.hpp"

namespace skein::balance {

/// Assigns the roles. Once, on all PEs alike, before anything is placed.
void assign_roles(const lb::Mode& mode);
/// Makes the last `count` PEs reserved from here on: objects on them have to leave. On all PEs alike, in an
/// LB step; collective.
void reserve_instead(int count);

/// Returns the number of PEs that have objects: the others are in no average.
int computing_pes();
inline bool computes(int pe) { return pe < computing_pes(); }
/// Returns the number of PEs that computed at the start, which figures of intervals are of.
int measured_pes();
/// Returns how many PEs decide for all; 0: each decides for itself.
int deciding_pes();
/// Returns the PE that decides for the others, or speaks for those that decide together: the first of the
/// deciding PEs, or PE 0.
inline int deciding_pe() { return deciding_pes() > 0 ? net::world.pes - deciding_pes() : 0; }
/// Returns which of several PEs that decide together decides about the objects of this computing PE. Each has
/// a block of computing PEs.
inline int decider_of(int pe) {
  return deciding_pe() + static_cast<int>(static_cast<long>(pe) * deciding_pes() / computing_pes());
}

}  // namespace skein::balance
