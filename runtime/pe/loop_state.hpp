// SPDX-License-Identifier: Apache-2.0
// The state of a PE's loop about its ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/base/pe_runtime.hpp"

namespace skein {
struct Rank;
}

namespace skein::pe {

/// Results of --sync-at on this PE, for the closing lines: calls by the size of the communicator.
struct SyncCalls {
  bool given = false;  ///< the option was given
  std::string call;    ///< the option's call; empty: `any`, or not given
  std::uint64_t every = 1;
  int least_ranks = 0;  ///< of a communicator whose calls count
  std::map<int, std::uint64_t> by_size;
  bool any = false;            ///< `any` was given: every collective on a communicator of all ranks counts
  int largest_part = 0;        ///< with `any`: the size of the largest smaller communicator
  std::uint64_t left_out = 0;  ///< with `any`: how many first collectives of a rank do not count
};

struct StopsInWaits;
/// The ways in which ranks of this PE stop.
struct Stops {
  std::vector<int> held;         // ranks that wait at a sync point for the deciding PE
  bool in_waits = false;         // ranks are to stop in waits
  std::vector<bool*> for_state;  // flags, in their slots, of ranks that have stopped for a state
  const StopsInWaits* by = nullptr;
  void (*append_to_share)(Rank& rank, std::vector<std::byte>& share) = nullptr;
};

/// Invariant: live == ranks on this PE whose program has not ended; at_sync of them are stopped for an LB
/// step, at a sync point or in a wait.
struct LoopState {
  int live = 0;
  int at_sync = 0;
  std::uint64_t stands_since = 0;   // when this PE began to stand; 0: it does not
  std::uint64_t meeting_ticks = 0;  // of the last meeting
  std::uint64_t ended_meetings = 0;
  Stops stops;
  SyncCalls sync_calls;
};
extern PerRuntime<LoopState> loop;

}  // namespace skein::pe
