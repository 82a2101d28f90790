// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// Passes a sync point of the calling rank, from its main fiber, in an API call. If ranks may move at it, the
/// functions that the program registered run before and after, whether or not this rank moves: that is
/// unknown before. May switch; the rank may be on another PE on return.
void pass_sync_point(RankState& state);

/// Passes a sync point of the program's own. From here on, `--sync-at auto` makes none of its collectives
/// one.
inline void pass_own_sync_point(RankState& state) {
  state.has_own_points = true;
  pass_sync_point(state);
}

/// Lets ranks stop in waits for messages, unless the program has functions to run around steps, or sync
/// points of its own. Called once, on all PEs.
void let_ranks_stop_in_waits();

enum class StatesAre { in_files, in_memory };
/// The job's states, if it writes some or has started from one, for a program that may ask for them.
struct States {
  /// Notes the wish for a state; returns false if the job has none of this kind.
  std::function<bool(StatesAre kind)> want;
  /// Returns true if the last state that was to be written is complete.
  std::function<bool()> written;
};
/// Lets ranks ask for states. Called once, on all PEs.
void let_ranks_ask_for(States states);
/// Asks for a state, as all ranks do; it is written at the next LB step. Returns false if the job has none of
/// this kind.
[[nodiscard]] bool want_state(StatesAre kind);
/// Writes a state of each kind that the job has, if any; all ranks call it. Returns false if that failed.
/// Called from the rank's main fiber, in an API call. May switch; the rank may be on another PE on return.
[[nodiscard]] bool write_state(RankState& state);

}  // namespace skein::vmpi
