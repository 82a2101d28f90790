// SPDX-License-Identifier: Apache-2.0
// Which PEs have objects. Those that are reserved for deciding are the last ones of the job: so the PEs that
// strategies see, 0 to computing_pes() - 1, are the job's by their own numbers, and none is ever translated.
#pragma once

#include "runtime/net/transport.hpp"

namespace skein::balance {

/// Once, on all PEs alike, before anything is placed.
void reserve_pes(int count);

/// PEs that have objects: the others have none from the start, and are in no average.
int computing_pes();
inline bool computes(int pe) { return pe < computing_pes(); }
/// The PE that makes decisions which one PE makes: the first reserved one, or PE 0.
inline int deciding_pe() { return computing_pes() < net::world.pes ? computing_pes() : 0; }

}  // namespace skein::balance
