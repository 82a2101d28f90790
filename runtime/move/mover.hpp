// SPDX-License-Identifier: Apache-2.0
// Moves ranks between PEs while no message is under way.
//
// Inside a node with a shared arena the slot is handed over: nothing is copied. Otherwise the pages that hold
// data go in runs, straight from slot to slot: the rank's stack from its stack pointer up, its control block,
// the writable part of its image, its heap. What the process keeps for a rank goes along: code mappings,
// stack guard, open files.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime/arena/arena.hpp"
#include "runtime/balance/objects.hpp"

namespace skein {
struct Rank;
}

namespace skein::move {

/// Prepares for moves. Once, before the first.
void start_mover();

/// Moves every rank to the PE that `new_pe` says (index: rank), and updates pe::location->pe_of_rank.
/// Collective over all PEs, from their own stacks, after a meeting. Returns the totals of what left this PE.
balance::MoveTotals move_ranks(std::span<const int> new_pe);

/// Returns why a rank cannot move now, or null.
const char* pinned_because(const Rank& rank);

// ---- a rank that goes into a file, or comes from one (runtime/checkpoint/); from the PE's own stack

/// Makes the slot of a rank of this PE complete, as for a move to another node, and returns the pages that
/// hold data: they are the whole rank. The rank does not run until stay().
std::vector<arena::Range> pack(Rank& rank);
/// Lets a packed rank go on here, unchanged.
void stay(Rank& rank);
/// Returns why the rank cannot be packed now, or null.
const char* unsaved_because(const Rank& rank);
/// Lets rank `id` go on here, whose pages were read into its slot, which nobody has used. Throws skein::Error
/// if the system refuses.
void come_from_file(int id);

}  // namespace skein::move
