// SPDX-License-Identifier: Apache-2.0
// A job that goes on from a state: its ranks are not made, but come out of files as if each had just arrived
// by a move from another node. On how many PEs the state was written does not matter.
#pragma once

#include <string>

#include "runtime/checkpoint/state.hpp"

namespace skein::checkpoint {

/// As open_state() does, of ranks that can go on in this process.
State open_state_of_ranks(const std::string& path, const Identity& here);

/// Throws skein::Error unless the arena, now reserved, is as it was.
void check_slots(const State& state);

/// Fills the slots of the ranks that belong on this PE, and lets the job go on: run_pe() begins behind the LB
/// step at which the state was written. Collective, when all else has started and no rank exists. Throws one
/// skein::Error on all PEs; a rank that cannot have its files again ends the job and says so.
void bring_back(const State& state);

}  // namespace skein::checkpoint
