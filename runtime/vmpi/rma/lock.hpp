// SPDX-License-Identifier: Apache-2.0
// The locks of passive targets: MPI_Win_lock and what goes with it. From the origin's rank.
//
// A target's lock is a word in its window: how many ranks share it, whether one has it alone, and whether
// somebody waits. Origins that see the window take a free lock and give theirs back by one atomic
// instruction. Else the target's PE is asked, which has the queue: it grants in the order of asking, and who
// gives a lock back for which somebody waits tells it so. So nobody overtakes who waits, and no PE need look
// again and again.
#pragma once

#include "runtime/vmpi/rma/window.hpp"

namespace skein::vmpi {

/// Takes the lock; blocks while others have it. May switch.
void take_lock(Window& window, int target, bool exclusive);
/// In an epoch of MPI_Win_lock_all: takes the target's lock unless the rank has it. May switch.
inline void lock_for_access(Window& window, int target) {
  if (!window.epoch.wants_lock(target)) return;
  take_lock(window, target, false);
  window.epoch.hold(target, Held::shared, window.size());
}
/// Precondition: the rank has it. Never switches.
void give_lock_back(Window& window, int target, bool exclusive);

// ---- at the target's PE
void ask_for_lock(Window& at, const LockRequest& request);
/// Gives back a lock that an origin on another node has.
void release_lock(Window& at, bool exclusive);
/// Who waits gets the lock, as far as it is free.
void grant_locks(Window& at);

}  // namespace skein::vmpi
