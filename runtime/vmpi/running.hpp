// SPDX-License-Identifier: Apache-2.0
// Where MPI begins and ends on a rank.
#pragma once

#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// Creates the state with its world and self communicators, in the slot. On the PE's own stack.
void create_rank_state(Rank& rank);

/// Between MPI_Init and MPI_Finalize, and after it. From the rank.
void begin_running(RankState& state);
void end_running(RankState& state);
/// MPI does not run any more if that was the last session, and MPI_Init was not called or MPI_Finalize was.
void stop_if_unused(RankState& state);

/// Rank 0 tells whoever asks for MPI_THREAD_MULTIPLE why it is granted.
void tell_of_thread_level(const Rank& rank, int asked);

}  // namespace skein::vmpi
