// SPDX-License-Identifier: Apache-2.0
// Moves pages of ranks to the memory domain where these compute now, when follow_rule.hpp says so. Where the
// system does not let a process move its pages, they stay.
#pragma once

#include <cstdint>

namespace skein {
struct Rank;
}

namespace skein::move {

/// The rank's slot is about to be handed over to another PE, and this one is through with it. Pages that
/// several processes see can be moved by none of them: so where they might have to follow, this PE lets go of
/// them.
void note_hand_over(Rank& rank, int to);
/// The rank has come to this PE; `carried`: its slot was handed over. Before it runs.
void note_arrival(Rank& rank, bool carried);
/// Lets pages of all ranks on this PE follow, at the end of an LB step. Returns how many bytes are in its
/// domain since. Pages that another PE of the node sees as well, as it read them for a message, follow only
/// where the system lets this process move those of others.
std::uint64_t follow_ranks();

}  // namespace skein::move
