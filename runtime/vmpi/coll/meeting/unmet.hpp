// SPDX-License-Identifier: Apache-2.0
// Unmet collectives: blocking collectives that some members of a communicator have left and others have yet
// to call, as the root of a broadcast may. The data of the first is under way: in messages of ranks, which
// move with these, or at an assembly, which stays. The places of members decide in which of the two the
// others look. So ranks that stop in waits (runtime/balance/agreed_steps.hpp) do not move while there is an
// unmet collective. At a sync point there is none, as all ranks call in one order.
//
// A communicator that was found with an unmet collective uses messages of ranks alone from then on, and
// hinders no more.
#pragma once

#include <cstdint>

namespace skein::vmpi {

/// Returns this PE's summand for finding unmet collectives, and communicators that some members have freed
/// and others have not. The sum over all PEs is 0 if there is none; if there is one, it is 0 with a
/// probability of 2^-64.
std::uint64_t unmet_collectives();

/// Sets Comm::most_assembled of communicators with unmet collectives. Collective: called by all PEs on their
/// own stacks, while no rank can run or is inside a collective, and nothing is under way.
void keep_unmet_apart();

}  // namespace skein::vmpi
