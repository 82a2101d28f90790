// SPDX-License-Identifier: Apache-2.0
// --sync-at: calls of one collective, or of any, on a communicator of all ranks are sync points, so that a
// program is balanced without changes to its source. Communicators of all ranks are the world and those that
// programs use in its place: a duplicate, a grid, a split that left no rank out.
//
// All ranks count alike, whichever of these communicators they use: MPI requires all members of communicators
// to call blocking collectives on them in one order (MPI 4.1, section 6.14). So calls count even if they have
// failed on some members, and so do the program's own sync points: from the first of these on, which is
// between the same two collectives on all ranks, --sync-at auto makes no collective a sync point.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/pe/loop_state.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// Makes every `every`-th counted call of a rank a sync point. Precondition: `call` is one of
/// blocking_collectives, for example "MPI_Allreduce" (which includes its _c form), and every > 0. Called once
/// on every PE, before any rank runs.
///
/// `ranks`: calls on communicators of at least this size count, for example on the halves of a world that a
/// program has divided. The user then guarantees that all ranks make equally many of these calls, and that no
/// rank needs a message of one that has made more of them; else ranks wait for ever at a sync point.
void set_sync_at(std::string_view call, std::uint64_t every, int ranks);

/// Makes calls of any collective sync points, until the rank passes one of the program's own. `left_out`:
/// number of first calls that are none. If the rank has passed one of the program's own by then, no call is
/// ever a sync point.
void set_sync_at_any(std::uint64_t left_out);

void count_collective(RankState& state, const Comm& comm, std::string_view function);

/// Counts a blocking collective on `comm` at its end, from the rank's main fiber. `function`: name of the MPI
/// function. May switch; the rank may be on another PE on return.
[[gnu::always_inline]] inline void note_collective(RankState& state, const Comm& comm, const char* function) {
  if (pe::loop->sync_calls.given) [[unlikely]]
    count_collective(state, comm, function);
}

}  // namespace skein::vmpi
