// SPDX-License-Identifier: Apache-2.0
// Broadcasts to arrays. PE 0 numbers them, so that all PEs run them in one order; they go down the tree over
// all PEs, and wait in each queue like calls. An element that moved between two PEs catches up, or skips, by
// the number of the next broadcast that it has not had.
#pragma once

#include <cstdint>

#include "skein/chare/array_base.hpp"
#include "skein/chare/element.hpp"

namespace skein::chare {

/// Returns the number of the array's next broadcast. On PE 0.
std::uint32_t next_broadcast(std::uint32_t array);

/// Sets the number of the next broadcast: those before have run everywhere.
void begin_broadcasts_behind(ArrayBase& array, std::uint32_t next);
/// Returns true if broadcasts have arrived here that have not run.
bool any_broadcast_to_run(const ArrayBase& array);

/// Makes `number` a new element's first broadcast, whatever has run here: it catches up, or skips.
void begin_broadcasts_at(Element& element, std::uint32_t number);

/// Forgets the broadcasts that have run here. Callable when all PEs have run them and no element is under
/// way: at a sync point, for an array that synchronizes. Newer ones may have come from PEs that are past the
/// step.
void forget_past_broadcasts(ArrayBase& array);

/// Drops broadcasts that have not run. At the end of the job.
void forget_broadcasts();

}  // namespace skein::chare
