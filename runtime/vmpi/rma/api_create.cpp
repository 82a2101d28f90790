// SPDX-License-Identifier: Apache-2.0
// Making and freeing windows, and the memory of dynamic ones (MPI 4.1, section 12.2).
#include <algorithm>
#include <iterator>
#include <new>
#include <span>

#include "runtime/vmpi/coll/api/collectives.hpp"
#include "runtime/vmpi/coll/api/consistency.hpp"
#include "runtime/vmpi/comm/attributes.hpp"
#include "runtime/vmpi/comm/errhandler.hpp"
#include "runtime/vmpi/comm/ids.hpp"
#include "runtime/vmpi/comm/info.hpp"
#include "runtime/vmpi/p2p/visibility.hpp"
#include "runtime/vmpi/record/collectives.hpp"
#include "runtime/vmpi/rma/recorded.hpp"
#include "runtime/vmpi/rma/window.hpp"

namespace skein::vmpi {
namespace {

struct WindowArguments {
  MPI_Aint bytes = 0;
  MPI_Aint unit = 1;
  MPI_Info info = MPI_INFO_NULL;
};

int check(const ApiCall& call, const WindowArguments& wanted, MPI_Comm handle, Comm*& comm) {
  SKEIN_TRY(get_intracomm(call, handle, comm));
  if (wanted.bytes < 0)
    return raise(call, comm, MPI_ERR_SIZE, "the size is %lld", static_cast<long long>(wanted.bytes));
  if (wanted.unit <= 0)
    return raise(call, comm, MPI_ERR_DISP, "the displacement unit is %lld",
                 static_cast<long long>(wanted.unit));
  if (wanted.info != MPI_INFO_NULL && !call.state.infos.find(wanted.info))
    return raise(call, comm, MPI_ERR_INFO, "0x%zx is no info object",
                 static_cast<std::size_t>(handle_value(wanted.info)));
  return MPI_SUCCESS;
}

/// Makes a window without memory over the ranks of `parent`, which other ranks do not know yet.
Window& begin_window(RankState& state, Comm& parent, int flavor, const WindowArguments& wanted) {
  check_collective_call(parent);
  const std::int64_t id = agree_on_id(state, parent);
  ++parent.group->references;
  Comm& comm = *make_comm(state, parent.group, id);
  auto& window = *new (state.memory.allocate(sizeof(Window), alignof(Window))) Window(state, comm);
  window.flavor = flavor;
  window.bytes = wanted.bytes;
  window.unit = wanted.unit;
  window.unit_attribute = static_cast<int>(wanted.unit);
  take_hints(window, wanted.info);
  return window;
}

void destroy(Window& window) {
  RankState& state = *window.owner;
  if (window.allocated) state.rank.heap.release(window.allocated);
  release_attributes(state, window.attributes);
  release_info(state, window.info);
  release_comm(state, window.comm);
  window.~Window();
  state.memory.deallocate(&window, sizeof(Window), alignof(Window));
}

/// Exchanges the windows' addresses between all ranks, which may then use them.
MPI_Win publish(RankState& state, Window& window) {
  window.seen_on_node =
      window.bytes == 0 || mapped_by_all(window.base, static_cast<std::size_t>(window.bytes));
  window.peers.resize(static_cast<std::size_t>(window.size()));
  Window* const self = &window;
  allgather_bytes(*window.comm, &self, window.peers.data(), sizeof self);
  const MPI_Win handle = state.windows.add(&window);
  window.comm->handle = reinterpret_cast<MPI_Comm>(handle);
  return handle;
}

/// Allocates from the rank's heap. Returns null if the slot is full.
void* allocate(RankState& state, std::size_t bytes) {
  return state.rank.heap.allocate_aligned(64, std::max<std::size_t>(bytes, 1));
}

int raise_full(const ApiCall& call, Comm& comm, std::size_t bytes) {
  return raise(call, &comm, MPI_ERR_NO_MEM, "%zu bytes do not fit a slot: raise --slot-size", bytes);
}

int create(const char* function, void* base, const WindowArguments& wanted, MPI_Comm handle, int flavor,
           MPI_Win* out) {
  ApiCall call(function);
  SKEIN_GET(Comm*, comm, check(call, wanted, handle, comm));
  if (wanted.bytes > 0 && (!base || among_thread_locals(base)))
    return raise(call, comm, MPI_ERR_BASE,
                 base ? "thread-local variables cannot be a window: they lie elsewhere while other ranks "
                        "run"
                      : "the memory is a null pointer");
  const RecordedCreation recorded(call.state, comm);
  Window& window = begin_window(call.state, *comm, flavor, wanted);
  window.base = static_cast<std::byte*>(base);
  *out = publish(call.state, window);
  return MPI_SUCCESS;
}

int allocate(const char* function, const WindowArguments& wanted, MPI_Comm handle, void* baseptr,
             MPI_Win* out) {
  ApiCall call(function);
  SKEIN_GET(Comm*, comm, check(call, wanted, handle, comm));
  const auto bytes = static_cast<std::size_t>(wanted.bytes);
  void* const memory = allocate(call.state, bytes);
  if (!memory) return raise_full(call, *comm, bytes);
  const RecordedCreation recorded(call.state, comm);
  Window& window = begin_window(call.state, *comm, MPI_WIN_FLAVOR_ALLOCATE, wanted);
  window.allocated = memory;
  window.base = static_cast<std::byte*>(memory);
  *out = publish(call.state, window);
  *static_cast<void**>(baseptr) = memory;
  return MPI_SUCCESS;
}

/// Returns true if the hint alloc_shared_noncontig lets the pieces of a shared window be apart.
bool may_lie_apart(const Window& window) {
  const std::pmr::string* const hint = window.info ? window.info->find("alloc_shared_noncontig") : nullptr;
  return hint && *hint == "true";
}

/// Allocates a shared window: all pieces are in the slot of the window's rank 0, one behind the other.
int allocate_shared(const char* function, const WindowArguments& wanted, MPI_Comm handle, void* baseptr,
                    MPI_Win* out) {
  ApiCall call(function);
  SKEIN_GET(Comm*, comm, check(call, wanted, handle, comm));
  if (comm->size() > 1 && !memory_is_shared())
    return raise(call, comm, MPI_ERR_RMA_SHARED,
                 "ranks may come to PEs that share no memory (several nodes, or --arena private): take the "
                 "communicator from MPI_Comm_split_type with MPI_COMM_TYPE_SHARED");
  const RecordedCreation recorded(call.state, comm);
  Window& window = begin_window(call.state, *comm, MPI_WIN_FLAVOR_SHARED, wanted);
  constexpr std::size_t line = 64;
  struct Piece {
    std::size_t bytes;
    void* first;  // from rank 0: start of the first piece
  };
  const bool apart = may_lie_apart(window);
  const auto own = static_cast<std::size_t>(wanted.bytes);
  Piece mine{apart ? (own + line - 1) / line * line : own, nullptr};
  std::pmr::vector<Piece> pieces(static_cast<std::size_t>(comm->size()), Piece{}, &call.state.memory);
  allgather_bytes(*window.comm, &mine, pieces.data(), sizeof mine);
  std::size_t total = 0, before = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    total += pieces[i].bytes;
    if (i < static_cast<std::size_t>(window.rank())) before += pieces[i].bytes;
  }
  if (window.rank() == 0) mine.first = window.allocated = allocate(call.state, total);
  allgather_bytes(*window.comm, &mine, pieces.data(), sizeof mine);
  if (!pieces[0].first) {
    destroy(window);
    return raise_full(call, *comm, total);
  }
  if (own > 0 || !apart) window.base = static_cast<std::byte*>(pieces[0].first) + before;
  *out = publish(call.state, window);
  *static_cast<void**>(baseptr) = window.base;
  return MPI_SUCCESS;
}

/// Returns true if this rank may load and store the memory of `rank`, wherever both move.
bool is_shared_with(const Window& window, int rank) {
  return window.flavor == MPI_WIN_FLAVOR_SHARED || rank == window.rank() ||
         (memory_is_shared() && window.peer(rank).seen_on_node);
}

template <class Unit>
int shared_query(const char* function, MPI_Win handle, int rank, MPI_Aint* size, Unit* unit, void* baseptr) {
  ApiCall call(function);
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  SKEIN_TRY(check_target(call, *window, rank));
  if (window->flavor == MPI_WIN_FLAVOR_DYNAMIC)
    return raise(call, window->comm, MPI_ERR_RMA_FLAVOR, "a dynamic window has no memory of its own");
  // MPI_PROC_NULL asks for the first rank that has memory to share.
  const auto has_memory = [&](int i) { return window->peer(i).bytes > 0 && is_shared_with(*window, i); };
  int target = rank == MPI_PROC_NULL ? 0 : rank;
  while (rank == MPI_PROC_NULL && target + 1 < window->size() && !has_memory(target)) ++target;
  const Window& at = window->peer(target);
  const bool none = rank == MPI_PROC_NULL ? !has_memory(target) : !is_shared_with(*window, target);
  *size = none ? 0 : at.bytes;
  *unit = none ? 0 : static_cast<Unit>(at.unit);
  *static_cast<void**>(baseptr) = none ? nullptr : at.base;
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Win_free(MPI_Win* handle) {
  ApiCall call("MPI_Win_free");
  SKEIN_GET(Window*, window, get_window(call, *handle, window));
  if (const char* const why = window->epoch.cannot_free())
    return raise(call, window->comm, MPI_ERR_RMA_SYNC, "the window cannot be freed: %s", why);
  if (const int error = delete_attributes(call.state, *handle, window->attributes))
    return raise(call, window->comm, error, "an attribute's delete function has failed");
  wait_until(*window, [&] { return window->unanswered == 0 && window->transfers == 0; },
             {"in MPI_Win_free", {}});
  {
    const RecordedCollective recorded(call.state);
    window_barrier(*window, "in MPI_Win_free, for the other ranks of the window");
    recorded.was(call.state, [&] { return barrier_event(*window); });
  }
  call.state.windows.remove(*handle);
  release_errhandler(call.state, window->comm->errhandler);
  window->comm->errhandler = MPI_ERRORS_ARE_FATAL;
  destroy(*window);
  *handle = MPI_WIN_NULL;
  return MPI_SUCCESS;
}

int MPI_Win_attach(MPI_Win handle, void* base, MPI_Aint size) {
  ApiCall call("MPI_Win_attach");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  if (window->flavor != MPI_WIN_FLAVOR_DYNAMIC)
    return raise(call, window->comm, MPI_ERR_RMA_FLAVOR, "the window is not dynamic");
  if (size < 0)
    return raise(call, window->comm, MPI_ERR_SIZE, "the size is %lld", static_cast<long long>(size));
  if (size == 0) return MPI_SUCCESS;
  const auto begin = reinterpret_cast<std::uintptr_t>(base);
  if (!base || among_thread_locals(base))
    return raise(call, window->comm, MPI_ERR_RMA_ATTACH,
                 base ? "thread-local variables cannot be attached: they lie elsewhere while other ranks "
                        "run"
                      : "the memory is a null pointer");
  const auto bytes = static_cast<std::size_t>(size);
  const auto next = window->attached.lower_bound(begin);
  const bool into_next = next != window->attached.end() && next->first - begin < bytes;
  const bool in_previous =
      next != window->attached.begin() && begin - std::prev(next)->first < std::prev(next)->second;
  if (into_next || in_previous)
    return raise(call, window->comm, MPI_ERR_RMA_ATTACH, "some of the memory is attached already");
  window->attached.emplace_hint(next, begin, bytes);
  return MPI_SUCCESS;
}

int MPI_Win_detach(MPI_Win handle, const void* base) {
  ApiCall call("MPI_Win_detach");
  SKEIN_GET(Window*, window, get_window(call, handle, window));
  if (window->flavor != MPI_WIN_FLAVOR_DYNAMIC)
    return raise(call, window->comm, MPI_ERR_RMA_FLAVOR, "the window is not dynamic");
  window->attached.erase(reinterpret_cast<std::uintptr_t>(base));  // pieces of no bytes were not noted
  return MPI_SUCCESS;
}

}  // extern "C"

#include "mpi_forwards_windows.inc"
