// SPDX-License-Identifier: Apache-2.0
// The locks of passive targets: MPI_Win_lock and related calls. Called from the origin's rank.
//
// A target's lock is a word in its window: the number of ranks that share it, whether one rank has it
// exclusively, and whether ranks wait. Origins that see the window take a free lock and give it back by one
// atomic instruction. Otherwise they ask the target's PE, which has the queue: it grants the lock in the
// order of asking, and an origin that gives back a lock for which ranks wait tells it so. So no rank
// overtakes a waiting one, and no PE has to poll.
#pragma once

#include "runtime/vmpi/rma/window.hpp"

namespace skein::vmpi {

/// Takes the lock, and blocks while other ranks have it. May switch.
void take_lock(Window& window, int target, bool exclusive);
/// Takes the target's lock in an epoch of MPI_Win_lock_all, unless the rank has it. May switch.
inline void lock_for_access(Window& window, int target) {
  if (!window.epoch.wants_lock(target)) return;
  take_lock(window, target, false);
  window.epoch.hold(target, Held::shared, window.size());
}
/// Gives the lock back. Precondition: the rank has it. Never switches.
void give_lock_back(Window& window, int target, bool exclusive);

// ---- at the target's PE
void ask_for_lock(Window& at, const LockRequest& request);
/// Gives back a lock that an origin on another node has.
void release_lock(Window& at, bool exclusive);
/// Grants the lock to waiting ranks, as far as it is free.
void grant_locks(Window& at);

}  // namespace skein::vmpi
