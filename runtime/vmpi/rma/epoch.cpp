// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/rma/epoch.hpp"

#include <algorithm>

namespace skein::vmpi {

/// Returns the reason that no other access epoch may begin, or null.
const char* Epoch::busy() const {
  switch (access_) {
    case Access::none:
      return used_fence_ ? "operations were called after the last MPI_Win_fence, which another one must end"
                         : nullptr;
    case Access::started:
      return "the epoch of MPI_Win_start is open";
    case Access::locked:
      return "a target is locked";
    case Access::locked_all:
    case Access::locked_all_unchecked:
      return "the epoch of MPI_Win_lock_all is open";
  }
  return nullptr;
}

const char* Epoch::cannot_fence() const {
  if (posted_) return "the epoch of MPI_Win_post is open";
  return access_ == Access::none ? nullptr : busy();
}
const char* Epoch::cannot_start() const { return busy(); }
const char* Epoch::cannot_complete() const {
  return access_ == Access::started ? nullptr : "there was no MPI_Win_start";
}
const char* Epoch::cannot_post() const {
  return posted_ ? "the epoch of the last MPI_Win_post is open" : nullptr;
}
const char* Epoch::cannot_wait() const { return posted_ ? nullptr : "there was no MPI_Win_post"; }
const char* Epoch::cannot_lock(int target) const {
  if (access_ != Access::locked) return busy();
  return held(target) == Held::nothing ? nullptr : "the target is locked already";
}
const char* Epoch::cannot_lock_all() const { return busy(); }
const char* Epoch::cannot_unlock(int target) const {
  return access_ == Access::locked && held(target) != Held::nothing ? nullptr : "the target is not locked";
}
const char* Epoch::cannot_unlock_all() const {
  return all_locked() ? nullptr : "there was no MPI_Win_lock_all";
}
const char* Epoch::cannot_flush(int target) const {
  return all_locked() || held(target) != Held::nothing ? nullptr : "the target is not locked";
}
const char* Epoch::cannot_flush_all() const {
  return all_locked() || access_ == Access::locked ? nullptr : "no target is locked";
}
const char* Epoch::cannot_free() const {
  if (posted_) return "the epoch of MPI_Win_post is open";
  return access_ == Access::none ? nullptr : busy();
}

const char* Epoch::cannot_access(int target, bool passive_only) const {
  if (access_ == Access::none && fenced_ && !passive_only) return nullptr;
  switch (access_) {
    case Access::none:
      return passive_only ? "requests are for epochs of MPI_Win_lock and MPI_Win_lock_all"
                          : "no epoch is open: call MPI_Win_fence, MPI_Win_start or MPI_Win_lock first";
    case Access::started:
      if (passive_only) return "requests are for epochs of MPI_Win_lock and MPI_Win_lock_all";
      return std::ranges::find(started_, target) != started_.end()
                 ? nullptr
                 : "the target is not in the group of MPI_Win_start";
    case Access::locked:
      return held(target) != Held::nothing ? nullptr : "the target is not locked";
    case Access::locked_all:
    case Access::locked_all_unchecked:
      return nullptr;
  }
  return nullptr;
}

}  // namespace skein::vmpi
