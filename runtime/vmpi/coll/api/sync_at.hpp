// SPDX-License-Identifier: Apache-2.0
// --sync-at: calls of one collective, or of any, on a communicator of all ranks are sync points, so that a
// program whose source nobody touches is balanced. That is the world, and what programs work on instead of
// it: a duplicate, a grid, a split that left nobody out.
//
// All ranks count alike, whatever such communicators they use: MPI asks of all members of communicators that
// they call blocking collectives on them in one order (MPI 4.1, section 6.14). So a call counts that has
// failed on some of them, and so does a sync point of the program's own: from its first one on no collective
// is one because any is, and that is between the same two collectives on all ranks.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/pe/loop_state.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// Every `every`-th such call of a rank is a sync point. Precondition: `call` is one of
/// blocking_collectives, for example "MPI_Allreduce" (which stands for its _c form too), and every > 0. Once,
/// on every PE, before any rank runs.
///
/// `ranks`: calls on communicators of at least so many count, as on the halves of a world that a program has
/// divided. Then it is for the user to know that all ranks make such calls in the same number, and that no
/// rank needs a message of one that has made more of them; else ranks wait for ever at a sync point.
void set_sync_at(std::string_view call, std::uint64_t every, int ranks);

/// Instead: any call is a sync point, until the rank meets one of the program's own. `left_out`: but for the
/// first so many; 0: none. If a rank has met one of its own by then no call ever is one.
void set_sync_at_any(std::uint64_t left_out);

void count_collective(RankState& state, const Comm& comm, std::string_view function);

/// At the end of a blocking collective on `comm`, from the rank's main fiber. `function` is the name the MPI
/// function has. May switch; the rank may be on another PE when this returns.
[[gnu::always_inline]] inline void note_collective(RankState& state, const Comm& comm, const char* function) {
  if (pe::loop->sync_calls.given) [[unlikely]]
    count_collective(state, comm, function);
}

}  // namespace skein::vmpi
