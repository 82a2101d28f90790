// SPDX-License-Identifier: Apache-2.0
// The arrays of the job in its states. PE 0 keeps what each was created of, with Settings::states_wanted, and
// knows which reductions and broadcasts are the next of each. A job that goes on from a state has the same
// arrays under the same numbers; their elements come as those that move do, and the function given to run(),
// which runs again, gets its arrays by the order in which it has created them.
#pragma once

#include "runtime/chare/messages/wire.hpp"

namespace skein::chare {

/// On PE 0, where no reduction is incomplete.
std::vector<std::byte> packed_creations();

// ---- on every PE of a job that goes on from a state, in this order
/// The arrays are there, without elements.
void enter_created(Bytes packed);
/// On PE 0, with the function given to run() behind: ends the job unless it has created all of its arrays.
void check_created_again();
/// For PEs and nodes that are other ones than the state's: groups get elements as when they were created,
/// which take part in all that comes. Collective.
void make_groups_anew();

}  // namespace skein::chare
