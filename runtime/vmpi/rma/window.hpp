// SPDX-License-Identifier: Apache-2.0
// Windows of one-sided communication (MPI 4.1, chapter 12): what each rank keeps of one.
//
// A window is an object in the slot of each of its ranks, at one address wherever the rank is, and the ranks
// know the addresses of all. What of it other ranks look at is constant while they may: an origin whose PE
// maps the target's slot reads it there, and reaches the target's memory with no help of the target
// (reach.hpp). Other origins send messages to the target's PE (messages.hpp), which serves them whatever its
// ranks do. Both ways take one lock where they update (update.hpp), and use one word for the locks of passive
// targets (lock.hpp).
//
// Nothing of it stands in the way of a move: ranks move while no message is under way, so no operation is
// under way then either, and epochs and locks are words in slots.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <string>
#include <vector>

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/rma/epoch.hpp"

namespace skein::vmpi {

struct Window;

/// Who waits for the lock of a target, at the target.
struct LockRequest {
  Window* from;  ///< of the rank that wants it
  int world_rank;
  bool exclusive;
};

struct Window {
  Window(RankState& state, Comm& its_comm)
      : owner(&state),
        comm(&its_comm),
        peers(&state.memory),
        epoch(&state.memory),
        attached(&state.memory),
        lock_queue(&state.memory),
        posted_by(&state.memory) {}

  RankState* owner;
  /// A communicator of its own, of the window's ranks. It carries the window's name, and its error handler
  /// and handle too: so errors of windows are raised like those of communicators.
  Comm* comm;
  int flavor = MPI_WIN_FLAVOR_CREATE;

  // ---- what origins look at, from whichever PE of the node: constant from its making to its end
  std::byte* base = nullptr;
  MPI_Aint bytes = 0;
  MPI_Aint unit = 1;          ///< of displacements, bytes
  bool seen_on_node = false;  ///< all PEs that share memory with the rank's see [base, base + bytes)
  // ---- what origins change
  std::atomic<std::uint32_t> lock_word = 0;  ///< lock.hpp

  std::pmr::vector<Window*> peers;  ///< of all ranks, by rank
  Epoch epoch;
  /// Memory that was attached to a dynamic window: bytes by address. No two have any in common.
  std::pmr::map<std::uintptr_t, std::size_t> attached;
  std::pmr::vector<LockRequest> lock_queue;  ///< who waits for this rank's lock, in the order of asking
  std::pmr::vector<int> posted_by;           ///< ranks that have posted to this one and were not started yet
  int completed_by = 0;                      ///< how many origins have completed their access to this rank
  bool lock_granted = false;                 ///< what the rank waits for in lock.cpp
  std::uint64_t transfers = 0;               ///< operations that are not over at their targets
  std::uint64_t bytes_under_way = 0;         ///< of these
  std::uint64_t unanswered = 0;              ///< messages to other windows that may not have come yet
  int failed = MPI_SUCCESS;                  ///< first error that a target told of, not raised yet
  Fiber* waiting = nullptr;                  ///< the rank, if it waits for anything of these
  void* allocated = nullptr;                 ///< in this rank's heap, to be freed with the window
  AttributeSet* attributes = nullptr;
  Info* info = nullptr;
  int unit_attribute = 1;  ///< what the attributes MPI_WIN_DISP_UNIT, _MODEL point to
  int model = MPI_WIN_UNIFIED;

  int rank() const { return comm->rank; }
  int size() const { return comm->size(); }
  MPI_Win handle() const { return reinterpret_cast<MPI_Win>(comm->handle); }
  Window& peer(int target) const { return *peers[static_cast<std::size_t>(target)]; }
};

/// Adds the hints of an info object, which may be MPI_INFO_NULL, as far as windows of that flavor know them.
void take_hints(Window& window, MPI_Info info);

/// The window of a handle; else raises MPI_ERR_WIN.
[[nodiscard]] inline int get_window(const ApiCall& call, MPI_Win handle, Window*& window) {
  window = call.state.windows.find(handle);
  if (window) [[likely]]
    return MPI_SUCCESS;
  return raise(call, nullptr, MPI_ERR_WIN, "0x%zx is no window, or one that was freed",
               static_cast<std::size_t>(handle_value(handle)));
}

/// A rank of the window, or MPI_PROC_NULL where that is allowed.
[[nodiscard]] inline int check_target(const ApiCall& call, const Window& window, int rank) {
  return check_peer(call, window.comm, rank);
}

/// Wakes the window's rank if it waits for something of its window. From its PE.
inline void wake(Window& window) {
  if (Fiber* const fiber = window.waiting) {
    window.waiting = nullptr;
    make_ready(*fiber);
  }
}

/// From the window's rank: blocks until `is_so()`. What changes it is to call wake(). May switch.
template <class IsSo>
void wait_until(Window& window, const IsSo& is_so, WaitReason why) {
  while (!is_so()) {
    window.waiting = current_fiber();
    block(why);
  }
}

/// Synchronizes the ranks of a window, and their memory. May switch.
void window_barrier(Window& window, const char* purpose);

/// A rank that looks again and again for what another one is to do (in a loop of MPI_Win_flush or
/// MPI_Win_sync) must let it run. Does nothing before the rank has run for a while. May switch.
void give_others_a_turn();

/// Whether all ranks of the job see each other's memory for good, wherever they move: then windows can be
/// shared, and MPI_Comm_split_type says that memory is.
bool memory_is_shared();

}  // namespace skein::vmpi
