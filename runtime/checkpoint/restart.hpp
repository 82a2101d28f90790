// SPDX-License-Identifier: Apache-2.0
// Continues a job from a state: ranks are not made, but come out of files as if each had just arrived by a
// move from another node. The number of PEs that wrote the state does not matter.
#pragma once

#include <string>

#include "runtime/checkpoint/state.hpp"

namespace skein::checkpoint {

/// Opens a state as open_state() does, and checks that its ranks can continue in this process.
State open_state_of_ranks(const std::string& path, const Identity& here);

/// Throws skein::Error unless the reserved arena equals that of the state.
void check_slots(const State& state);

/// Fills the slots of the ranks that belong on this PE, and lets the job continue: run_pe() begins after the
/// LB step at which the state was written. Collective; everything else has started, and no rank exists.
/// Throws one skein::Error on all PEs. A rank that cannot have its files again ends the job with a message.
void bring_back(const State& state);

}  // namespace skein::checkpoint
