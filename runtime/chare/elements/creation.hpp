// SPDX-License-Identifier: Apache-2.0
// The arrays of the job in its states. With Settings::states_wanted PE 0 keeps the message that created each
// array, and knows the next reduction and broadcast of each. A job that continues from a state has the same
// arrays under the same numbers; their elements arrive like moved ones, and the function given to run(),
// which runs again, gets its arrays in the order in which it created them.
#pragma once

#include "runtime/chare/messages/wire.hpp"

namespace skein::chare {

/// Packs the creations. On PE 0, where no reduction is incomplete.
std::vector<std::byte> packed_creations();

// ---- on every PE of a job that continues from a state, in this order
/// Makes the arrays, without elements.
void enter_created(Bytes packed);
/// Ends the job unless the function given to run() has created all of its arrays again. On PE 0, after it.
void check_created_again();
/// Makes elements of groups anew, since PEs and nodes may differ from the state's; these take part in all
/// that follows. Collective.
void make_groups_anew();

}  // namespace skein::chare
