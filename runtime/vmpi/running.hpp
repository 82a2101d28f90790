// SPDX-License-Identifier: Apache-2.0
// The begin and the end of MPI on a rank.
#pragma once

#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// Creates a rank's state with its world and self communicators, in the slot. Called on the PE's own stack.
void create_rank_state(Rank& rank);

/// Make MPI run, and end it. Called from the rank.
void begin_running(RankState& state);
void end_running(RankState& state);
/// Ends MPI if the last session has ended, and MPI_Init was not called or MPI_Finalize was.
void stop_if_unused(RankState& state);

/// Explains to a program that asks for MPI_THREAD_MULTIPLE why it is granted. On rank 0 only.
void tell_of_thread_level(const Rank& rank, int asked);

}  // namespace skein::vmpi
