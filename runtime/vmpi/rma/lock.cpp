// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/rma/lock.hpp"

#include "runtime/base/check.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/vmpi/rma/messages.hpp"
#include "runtime/vmpi/rma/reach.hpp"

namespace skein::vmpi {
namespace {

/// lock_word == kIsExclusive * (one rank has it exclusively) + kIsQueued * (the queue is not empty) + sharers
constexpr std::uint32_t kIsExclusive = 1u << 31, kIsQueued = 1u << 30, kSharers = kIsQueued - 1;

/// Takes the lock if it is free. Waiting ranks go first, unless it is taken for one of them. Acquires what
/// others released.
bool take_if_free(std::atomic<std::uint32_t>& word, bool exclusive, bool for_queued) {
  std::uint32_t now = word.load(std::memory_order_relaxed);
  for (;;) {
    const bool is_free = exclusive ? !(now & (kIsExclusive | kSharers)) : !(now & kIsExclusive);
    if (!is_free || ((now & kIsQueued) && !for_queued)) return false;
    const std::uint32_t then = exclusive ? now | kIsExclusive : now + 1;
    if (word.compare_exchange_weak(now, then, std::memory_order_acq_rel)) return true;
  }
}

/// Gives the lock back. Returns true if ranks wait for it.
bool drop(std::atomic<std::uint32_t>& word, bool exclusive) {
  const std::uint32_t before = exclusive ? word.fetch_and(~kIsExclusive, std::memory_order_acq_rel)
                                         : word.fetch_sub(1, std::memory_order_acq_rel);
  SKEIN_DCHECK(exclusive ? before & kIsExclusive : before & kSharers, "lock word %x given back", before);
  return before & kIsQueued;
}

}  // namespace

void take_lock(Window& window, int target, bool exclusive) {
  Window& at = window.peer(target);
  if (sees_window(window, target) && take_if_free(at.lock_word, exclusive, false)) return;
  window.lock_granted = false;
  tell(window, target,
       {.to = &at,
        .from = &window,
        .rank = window.rank(),
        .what = Control::What::want_lock,
        .exclusive = exclusive});
  wait_until(window, [&] { return window.lock_granted; },
             {"in MPI_Win_lock, for the lock of rank %d", {target, 0}});
}

void give_lock_back(Window& window, int target, bool exclusive) {
  Window& at = window.peer(target);
  Control message{.to = &at,
                  .from = &window,
                  .rank = window.rank(),
                  .what = Control::What::return_lock,
                  .exclusive = exclusive};
  if (sees_window(window, target)) {
    if (!drop(at.lock_word, exclusive)) return;
    message.what = Control::What::lock_was_returned;
  }
  tell(window, target, message);
}

void ask_for_lock(Window& at, const LockRequest& request) {
  at.lock_queue.push_back(request);
  // An origin that gives the lock back from here on says so; grant_locks() sees locks that were given back
  // before.
  at.lock_word.fetch_or(kIsQueued, std::memory_order_acq_rel);
  grant_locks(at);
}

void release_lock(Window& at, bool exclusive) {
  drop(at.lock_word, exclusive);
  grant_locks(at);
}

void grant_locks(Window& at) {
  std::size_t granted = 0;
  for (const LockRequest& request : at.lock_queue) {
    if (!take_if_free(at.lock_word, request.exclusive, true)) break;
    ++granted;
    Control message{.to = request.from, .from = &at, .rank = at.rank(), .what = Control::What::lock_granted};
    tell_rank(request.world_rank, message);
  }
  at.lock_queue.erase(at.lock_queue.begin(), at.lock_queue.begin() + static_cast<std::ptrdiff_t>(granted));
  if (at.lock_queue.empty()) at.lock_word.fetch_and(~kIsQueued, std::memory_order_acq_rel);
}

}  // namespace skein::vmpi
