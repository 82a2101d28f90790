// SPDX-License-Identifier: Apache-2.0
// Epochs: fences, post-start-complete-wait, locks, flushes (MPI 4.1, section 12.5).
#include <algorithm>

#include "runtime/vmpi/coll/api/sync_at.hpp"
#include "runtime/vmpi/p2p/completion.hpp"
#include "runtime/vmpi/rma/lock.hpp"
#include "runtime/vmpi/rma/messages.hpp"
#include "runtime/vmpi/rma/recorded.hpp"

namespace skein::vmpi {
namespace {

[[nodiscard]] int check_epoch(const ApiCall& call, const Window& window, const char* why_not) {
  return why_not ? raise(call, window.comm, MPI_ERR_RMA_SYNC, "%s", why_not) : MPI_SUCCESS;
}

[[nodiscard]] int check_assert(const ApiCall& call, const Window& window, int given, int allowed) {
  if ((given & ~allowed) == 0) return MPI_SUCCESS;
  return raise(call, window.comm, MPI_ERR_ASSERT, "assertion 0x%x is not for this call", given & ~allowed);
}

constexpr int kFenceAsserts = MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED;
constexpr int kPostAsserts = MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT;

/// Gets the ranks in the window of a group's members.
int ranks_of(const ApiCall& call, const Window& window, MPI_Group handle, std::pmr::vector<int>& ranks) {
  Group* group = nullptr;
  SKEIN_TRY(get_group(call, handle, group, window.comm));
  for (int member = 0; member < group->size; ++member) {
    const int rank = window.comm->group->rank_of(group->world_rank(member));
    if (rank == MPI_UNDEFINED)
      return raise(call, window.comm, MPI_ERR_GROUP, "member %d of the group is no rank of the window",
                   member);
    ranks.push_back(rank);
  }
  return MPI_SUCCESS;
}

void notify(Window& window, Notice notice, Control::What what, int rank) {
  tell(window, rank, {.to = &window.peer(rank), .from = &window, .rank = window.rank(), .what = what});
  record_notice(window, notice, rank);
}

/// Waits for the post of a target, and uses it.
void take_post(Window& window, int target) {
  const RecordedNotice recorded(window, Notice::posted, target);
  const auto has_come = [&] { return std::ranges::find(window.posted_by, target) != window.posted_by.end(); };
  wait_until(window, has_come, {"in MPI_Win_start, for MPI_Win_post of rank %d", {target, 0}});
  window.posted_by.erase(std::ranges::find(window.posted_by, target));
  recorded.has_come();
}

/// Ends the exposure after all origins have completed.
void end_exposure(Window& window) {
  window.completed_by -= static_cast<int>(window.epoch.origins().size());
  window.epoch.end_exposure();
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

void give_back_if_held(Window& window, int target) {
  const Held held = window.epoch.held(target);
  if (held == Held::shared || held == Held::exclusive)
    give_lock_back(window, target, held == Held::exclusive);
}

/// Performs the forms of a flush: completes all operations, and lets others run.
int flush(const char* function, MPI_Win handle, const int* rank) {
  ApiCall call(function);
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  if (rank) SKEIN_TRY(check_target(call, *window, *rank));
  if (rank && *rank == MPI_PROC_NULL) return MPI_SUCCESS;
  SKEIN_TRY(check_epoch(call, *window,
                        rank ? window->epoch.cannot_flush(*rank) : window->epoch.cannot_flush_all()));
  const RecordedRegion recorded(call);
  SKEIN_TRY(complete_operations(call, *window));
  give_others_a_turn();
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Win_fence(int assert, MPI_Win handle) {
  ApiCall call("MPI_Win_fence");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  SKEIN_TRY(check_assert(call, *window, assert, kFenceAsserts));
  SKEIN_TRY(check_epoch(call, *window, window->epoch.cannot_fence()));
  const RecordedCollective recorded(call.state);
  const int error = complete_operations(call, *window);
  window_barrier(*window, "in MPI_Win_fence, for the other ranks of the window");
  recorded.was(call.state, [&] { return barrier_event(*window); });
  window->epoch.fence(!(assert& MPI_MODE_NOSUCCEED));
  note_collective(call.state, *window->comm, call.function);
  return error;
}

int MPI_Win_post(MPI_Group group, int assert, MPI_Win handle) {
  ApiCall call("MPI_Win_post");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  SKEIN_TRY(check_assert(call, *window, assert, kPostAsserts));
  SKEIN_TRY(check_epoch(call, *window, window->epoch.cannot_post()));
  std::pmr::vector<int> origins(&call.state.memory);
  SKEIN_TRY(ranks_of(call, *window, group, origins));
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!(assert& MPI_MODE_NOCHECK))
    for (const int origin : origins) notify(*window, Notice::posted, Control::What::posted, origin);
  window->epoch.post(std::move(origins));
  return MPI_SUCCESS;
}

int MPI_Win_start(MPI_Group group, int assert, MPI_Win handle) {
  ApiCall call("MPI_Win_start");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  SKEIN_TRY(check_assert(call, *window, assert, MPI_MODE_NOCHECK));
  SKEIN_TRY(check_epoch(call, *window, window->epoch.cannot_start()));
  std::pmr::vector<int> targets(&call.state.memory);
  SKEIN_TRY(ranks_of(call, *window, group, targets));
  if (!(assert& MPI_MODE_NOCHECK))
    for (const int target : targets) take_post(*window, target);
  window->epoch.start(std::move(targets));
  return MPI_SUCCESS;
}

int MPI_Win_complete(MPI_Win handle) {
  ApiCall call("MPI_Win_complete");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  SKEIN_TRY(check_epoch(call, *window, window->epoch.cannot_complete()));
  const int error = complete_operations(call, *window);
  for (const int target : window->epoch.started())
    notify(*window, Notice::completed, Control::What::completed, target);
  window->epoch.complete();
  return error;
}

int MPI_Win_wait(MPI_Win handle) {
  ApiCall call("MPI_Win_wait");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  SKEIN_TRY(check_epoch(call, *window, window->epoch.cannot_wait()));
  const auto& origins = window->epoch.origins();
  const auto all = [&] { return window->completed_by >= static_cast<int>(origins.size()); };
  for (const int origin : origins) {
    const RecordedNotice recorded(*window, Notice::completed, origin);
    wait_until(*window, all,
               {"in MPI_Win_wait, for MPI_Win_complete of %d ranks", {static_cast<int>(origins.size()), 0}});
    recorded.has_come();
  }
  end_exposure(*window);
  return MPI_SUCCESS;
}

int MPI_Win_test(MPI_Win handle, int* flag) {
  ApiCall call("MPI_Win_test");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  SKEIN_TRY(check_epoch(call, *window, window->epoch.cannot_wait()));
  const auto& origins = window->epoch.origins();
  *flag = ready_now([&] { return window->completed_by >= static_cast<int>(origins.size()); });
  if (!*flag) return MPI_SUCCESS;
  for (const int origin : origins) RecordedNotice(*window, Notice::completed, origin).has_come();
  end_exposure(*window);
  return MPI_SUCCESS;
}

int MPI_Win_lock(int lock_type, int rank, int assert, MPI_Win handle) {
  ApiCall call("MPI_Win_lock");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  if (lock_type != MPI_LOCK_EXCLUSIVE && lock_type != MPI_LOCK_SHARED)
    return raise(call, window->comm, MPI_ERR_LOCKTYPE, "%d is no type of lock", lock_type);
  SKEIN_TRY(check_assert(call, *window, assert, MPI_MODE_NOCHECK));
  SKEIN_TRY(check_target(call, *window, rank));
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  SKEIN_TRY(check_epoch(call, *window, window->epoch.cannot_lock(rank)));
  const RecordedRegion recorded(call);
  const bool exclusive = lock_type == MPI_LOCK_EXCLUSIVE, unchecked = assert &MPI_MODE_NOCHECK;
  if (!unchecked) take_lock(*window, rank, exclusive);
  window->epoch.lock(rank,
                     unchecked   ? Held::unchecked
                     : exclusive ? Held::exclusive
                                 : Held::shared,
                     window->size());
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return MPI_SUCCESS;
}

int MPI_Win_unlock(int rank, MPI_Win handle) {
  ApiCall call("MPI_Win_unlock");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  SKEIN_TRY(check_target(call, *window, rank));
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  SKEIN_TRY(check_epoch(call, *window, window->epoch.cannot_unlock(rank)));
  const RecordedRegion recorded(call);
  const int error = complete_operations(call, *window);
  give_back_if_held(*window, rank);
  window->epoch.unlock(rank);
  give_others_a_turn();
  return error;
}

int MPI_Win_lock_all(int assert, MPI_Win handle) {
  ApiCall call("MPI_Win_lock_all");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  SKEIN_TRY(check_assert(call, *window, assert, MPI_MODE_NOCHECK));
  SKEIN_TRY(check_epoch(call, *window, window->epoch.cannot_lock_all()));
  const RecordedRegion recorded(call);
  window->epoch.lock_all(!(assert& MPI_MODE_NOCHECK));
  // Locks of other ranks are taken at the first access. Loads and stores are invisible, so the lock of the
  // rank's own memory is taken now, and all locks of a shared window.
  lock_for_access(*window, window->rank());
  if (window->flavor == MPI_WIN_FLAVOR_SHARED)
    for (int rank = 0; rank < window->size(); ++rank) lock_for_access(*window, rank);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return MPI_SUCCESS;
}

int MPI_Win_unlock_all(MPI_Win handle) {
  ApiCall call("MPI_Win_unlock_all");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  SKEIN_TRY(check_epoch(call, *window, window->epoch.cannot_unlock_all()));
  const RecordedRegion recorded(call);
  const int error = complete_operations(call, *window);
  for (int rank = 0; rank < window->size(); ++rank) give_back_if_held(*window, rank);
  window->epoch.unlock_all();
  give_others_a_turn();
  return error;
}

int MPI_Win_flush(int rank, MPI_Win win) { return flush("MPI_Win_flush", win, &rank); }
int MPI_Win_flush_all(MPI_Win win) { return flush("MPI_Win_flush_all", win, nullptr); }
int MPI_Win_flush_local(int rank, MPI_Win win) { return flush("MPI_Win_flush_local", win, &rank); }
int MPI_Win_flush_local_all(MPI_Win win) { return flush("MPI_Win_flush_local_all", win, nullptr); }

int MPI_Win_sync(MPI_Win handle) {
  ApiCall call("MPI_Win_sync");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  std::atomic_thread_fence(std::memory_order_seq_cst);
  give_others_a_turn();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return MPI_SUCCESS;
}

}  // extern "C"
