// SPDX-License-Identifier: Apache-2.0
// Windows of one-sided communication (MPI 4.1, chapter 12): the state of one rank.
//
// A window is an object in the slot of each of its ranks, at one address wherever the rank is, and each rank
// knows the addresses of all. The members that other ranks read are constant while they may: an origin whose
// PE maps the target's slot reads them there, and reaches the target's memory without its help (reach.hpp).
// Other origins send messages to the target's PE (messages.hpp), which serves them whatever its ranks do.
// Both ways take one lock to update (update.hpp), and use one word for the locks of passive targets
// (lock.hpp).
//
// Windows do not hinder moves: ranks move while no message is under way, so no operation is either, and
// epochs and locks are words in slots.
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

/// A request for a target's lock that waits at the target.
struct LockRequest {
  Window* from;  ///< of the requesting rank
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
  /// A communicator of the window's ranks, for the window alone. It also carries the window's name, error
  /// handler and handle: so errors of windows are raised like those of communicators.
  Comm* comm;
  int flavor = MPI_WIN_FLAVOR_CREATE;

  // ---- read by origins on any PE of the node: constant from the window's making to its end
  std::byte* base = nullptr;
  MPI_Aint bytes = 0;
  MPI_Aint unit = 1;          ///< of displacements, bytes
  bool seen_on_node = false;  ///< all PEs that share memory with the rank's PE see [base, base + bytes)
  // ---- changed by origins
  std::atomic<std::uint32_t> lock_word = 0;  ///< lock.hpp

  std::pmr::vector<Window*> peers;  ///< windows of all ranks, by rank
  Epoch epoch;
  /// Memory attached to a dynamic window: bytes by address. The pieces are disjoint.
  std::pmr::map<std::uintptr_t, std::size_t> attached;
  std::pmr::vector<LockRequest> lock_queue;  ///< requests for this rank's lock, in the order of asking
  std::pmr::vector<int> posted_by;    ///< ranks that have posted to this one, until a start uses the post
  int completed_by = 0;               ///< number of origins that have completed their access to this rank
  bool lock_granted = false;          ///< set for the wait in lock.cpp
  std::uint64_t transfers = 0;        ///< operations that are not over at their targets
  std::uint64_t bytes_under_way = 0;  ///< sum of their bytes
  std::uint64_t unanswered = 0;       ///< messages to other windows that may not have come yet
  int failed = MPI_SUCCESS;           ///< first error from a target, not raised yet
  Fiber* waiting = nullptr;           ///< the rank, if it waits for a change of its window
  void* allocated = nullptr;          ///< in this rank's heap, to be freed with the window
  AttributeSet* attributes = nullptr;
  Info* info = nullptr;
  int unit_attribute = 1;  ///< values of the attributes MPI_WIN_DISP_UNIT, _MODEL
  int model = MPI_WIN_UNIFIED;

  int rank() const { return comm->rank; }
  int size() const { return comm->size(); }
  MPI_Win handle() const { return reinterpret_cast<MPI_Win>(comm->handle); }
  Window& peer(int target) const { return *peers[static_cast<std::size_t>(target)]; }
};

/// Adds those hints of an info object, which may be MPI_INFO_NULL, that windows of that flavor have.
void take_hints(Window& window, MPI_Info info);

/// Gets the window of a handle, or raises MPI_ERR_WIN.
[[nodiscard]] inline int get_window(const ApiCall& call, MPI_Win handle, Window*& window) {
  window = call.state.windows.find(handle);
  if (window) [[likely]]
    return MPI_SUCCESS;
  return raise(call, nullptr, MPI_ERR_WIN, "0x%zx is no window, or one that was freed",
               static_cast<std::size_t>(handle_value(handle)));
}

/// Checks for a rank of the window, or MPI_PROC_NULL where that is allowed.
[[nodiscard]] inline int check_target(const ApiCall& call, const Window& window, int rank) {
  return check_peer(call, window.comm, rank);
}

/// Wakes the window's rank if it waits for a change of its window. Called on its PE.
inline void wake(Window& window) {
  if (Fiber* const fiber = window.waiting) {
    window.waiting = nullptr;
    make_ready(*fiber);
  }
}

/// Blocks the window's rank until `is_so()`. Code that changes this result calls wake(). May switch.
template <class IsSo>
void wait_until(Window& window, const IsSo& is_so, WaitReason why) {
  while (!is_so()) {
    window.waiting = current_fiber();
    block(why);
  }
}

/// Synchronizes the ranks of a window, and their memory. May switch.
void window_barrier(Window& window, const char* purpose);

/// Lets other ranks run, for a rank that polls for the action of another (in a loop of MPI_Win_flush or
/// MPI_Win_sync). Does nothing before the rank has run for a while. May switch.
void give_others_a_turn();

/// Returns true if all ranks of the job see each other's memory for good, wherever they move: then windows
/// can be shared, and MPI_Comm_split_type says that memory is.
bool memory_is_shared();

}  // namespace skein::vmpi
