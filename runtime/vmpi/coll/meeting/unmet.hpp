// SPDX-License-Identifier: Apache-2.0
// Blocking collectives that some members of a communicator have left and others have yet to call, as the root
// of a broadcast may. What the first have brought is under way: in messages of ranks, which move along with
// these, or at an assembly, which stays. By which of both the others look for it follows from where the
// members are. So ranks that stop in waits (runtime/balance/agreed_steps.hpp) do not move while there is such
// a collective; at a sync point there is none, as all have to call in one order.
//
// A communicator that was found so has messages of ranks alone from then on, and hinders no more.
#pragma once

#include <cstdint>

namespace skein::vmpi {

/// What PEs add up to know whether there is one, or a communicator that some members have freed and others
/// have not. The sum over all PEs is 0 if there is none; if there is, it is 0 with a probability of 2^-64.
std::uint64_t unmet_collectives();

/// Sets Comm::most_assembled of the communicators that have one. Collective, by all PEs from their own
/// stacks, while no rank can run or is inside a collective, and nothing is under way.
void keep_unmet_apart();

}  // namespace skein::vmpi
