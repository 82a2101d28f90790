// SPDX-License-Identifier: Apache-2.0
// What a PE keeps of its ranks for its loop.
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

/// What came of --sync-at on this PE, for the closing lines: calls by the size of the communicator.
struct SyncCalls {
  bool given = false;  ///< the option was
  std::string call;    ///< empty: `any`, or it was not
  std::uint64_t every = 1;
  int least_ranks = 0;  ///< of a communicator whose calls count
  std::map<int, std::uint64_t> by_size;
  bool any = false;            ///< instead: every collective counts, on a communicator of all ranks
  int largest_part = 0;        ///< then: of those on fewer, the most ranks
  std::uint64_t left_out = 0;  ///< then: of a rank, the first so many, which do not count
};

struct StopsInWaits;
/// How ranks of this PE stop.
struct Stops {
  std::vector<int> held;         // ranks that wait at a sync point for what the deciding PE says
  bool in_waits = false;         // ranks are to stop in waits
  std::vector<bool*> for_state;  // in the slots of ranks that have stopped for a state
  const StopsInWaits* by = nullptr;
  void (*append_to_share)(Rank& rank, std::vector<std::byte>& share) = nullptr;
};

/// Invariant: live == ranks on this PE whose program has not ended; at_sync of them are stopped for an LB
/// step, at a sync point or in a wait.
struct LoopState {
  int live = 0;
  int at_sync = 0;
  std::uint64_t stands_since = 0;   // 0: it does not
  std::uint64_t meeting_ticks = 0;  // of the last meeting
  std::uint64_t ended_meetings = 0;
  Stops stops;
  SyncCalls sync_calls;
};
extern PerRuntime<LoopState> loop;

}  // namespace skein::pe
