// SPDX-License-Identifier: Apache-2.0
// Moves pages of ranks to the memory domain where these compute now, when follow_rule.hpp says so. If the
// system does not let a process move its pages, they stay.
#pragma once

#include <cstdint>

namespace skein {
struct Rank;
}

namespace skein::move {

/// Prepares the hand-over of the rank's slot to another PE. No process can move pages that several see: so
/// where they might have to follow, this PE unmaps them.
void note_hand_over(Rank& rank, int to);
/// Notes that the rank has come to this PE, before it runs; `carried`: its slot was handed over.
void note_arrival(Rank& rank, bool carried);
/// Lets pages of all ranks on this PE follow, at the end of an LB step. Returns the bytes that are in its
/// domain now. Pages that another PE of the node has mapped, too, as it read them for a message, follow only
/// if the system lets this process move such pages.
std::uint64_t follow_ranks();

}  // namespace skein::move
