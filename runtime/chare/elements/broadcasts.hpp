// SPDX-License-Identifier: Apache-2.0
// Broadcasts to arrays. PE 0 numbers them, so that all PEs run them in one order; they go down the tree over
// all PEs, and wait in each queue like calls. An element that moved between two PEs catches up, or skips, by
// the number of the next that it has not had.
#pragma once

#include <cstdint>

#include "skein/chare/array_base.hpp"
#include "skein/chare/element.hpp"

namespace skein::chare {

/// The number of the array's next broadcast. On PE 0.
std::uint32_t next_broadcast(std::uint32_t array);

/// The array's broadcasts so far are those before that one, and have run everywhere.
void begin_broadcasts_behind(ArrayBase& array, std::uint32_t next);
/// Whether some have come here that have not run.
bool any_broadcast_to_run(const ArrayBase& array);

/// A new element's first broadcast is this one, whatever has run here: it catches up, or skips.
void begin_broadcasts_at(Element& element, std::uint32_t number);

/// Those that have run here. Where all PEs have run them, and no element is under way: at a sync point, of an
/// array that synchronizes. Others may have come since, from PEs that are through with the step.
void forget_past_broadcasts(ArrayBase& array);

/// At the end of the job: those that have not run.
void forget_broadcasts();

}  // namespace skein::chare
