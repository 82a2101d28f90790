// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// A sync point of the calling rank, from its main fiber, in an API call. Where ranks may be moved at it,
/// what the program registered runs before and after, whether this rank moves or not: nobody knows before.
/// May switch; the rank may be on another PE when this returns.
void pass_sync_point(RankState& state);

/// The program's own: from here on none of its collectives is one because `--sync-at auto` takes any.
inline void pass_own_sync_point(RankState& state) {
  state.has_own_points = true;
  pass_sync_point(state);
}

/// Ranks may stop in waits for messages, unless the program wants to hear of steps, or says itself where they
/// are. Once, on all PEs.
void let_ranks_stop_in_waits();

enum class StatesAre { in_files, in_memory };
/// A job that has states, or goes on from one, and whose program may ask for them.
struct States {
  /// Takes note of a wish for one; returns false where the job has none of that kind.
  std::function<bool(StatesAre kind)> want;
  /// Whether the last that was to be written is there.
  std::function<bool()> written;
};
/// Once, on all PEs.
void let_ranks_ask_for(States states);
/// All ranks ask for one, which is written at the next LB step; false where the job has none of that kind.
[[nodiscard]] bool want_state(StatesAre kind);
/// The calling rank, and all others, have one written of each kind that the job has, if any. Returns false
/// where that failed. From its main fiber, in an API call. May switch; the rank may be on another PE when
/// this returns.
[[nodiscard]] bool write_state(RankState& state);

}  // namespace skein::vmpi
