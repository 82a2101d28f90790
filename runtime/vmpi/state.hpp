// SPDX-License-Identifier: Apache-2.0
// What the MPI library keeps for one rank. It lives in the rank's slot and moves with it.
#pragma once

#include <array>
#include <memory_resource>
#include <optional>
#include <vector>

#include "runtime/rank/rank.hpp"
#include "runtime/vmpi/api.hpp"
#include "runtime/vmpi/handles.hpp"
#include "runtime/vmpi/p2p/attached_buffer.hpp"
#include "runtime/vmpi/p2p/match.hpp"
#include "runtime/vmpi/p2p/request_table.hpp"

namespace skein::vmpi {

struct Comm;
struct Group;
struct Errhandler;
struct Keyval;
struct AddedError;
struct RankTypes;
class Datatype;
class Op;
class Info;
struct Unexpected;

using CommTable = HandleTable<Comm, MPI_Comm, HandleKind::comm>;
using GroupTable = HandleTable<Group, MPI_Group, HandleKind::group>;
using DatatypeTable = HandleTable<Datatype, MPI_Datatype, HandleKind::datatype>;
using OpTable = HandleTable<Op, MPI_Op, HandleKind::op>;
using ErrhandlerTable = HandleTable<Errhandler, MPI_Errhandler, HandleKind::errhandler>;
using InfoTable = HandleTable<Info, MPI_Info, HandleKind::info>;
using MessageTable = HandleTable<Unexpected, MPI_Message, HandleKind::message>;

enum class MpiStage : std::uint8_t { before_init, running, finalized };

struct alignas(64) RankState {
  explicit RankState(Rank& owner);
  RankState(const RankState&) = delete;
  RankState& operator=(const RankState&) = delete;

  // What each message touches lies together.
  Rank& rank;
  /// What MPI_COMM_WORLD and MPI_COMM_SELF stand for. Null while MPI does not run, and `comms` and `requests`
  /// are empty then, so that calls outside of it find nothing: see Outside.
  Comm* world = nullptr;
  Comm* self = nullptr;
  RequestTable requests{rank.memory};
  MatchQueues matching{rank.memory};
  Fiber* probing = nullptr;  ///< blocked in a probe: wake it when a message arrives unexpectedly

  std::pmr::memory_resource& memory;  ///< the slot's heap
  MpiStage stage = MpiStage::before_init;
  int thread_level = MPI_THREAD_SINGLE;

  CommTable comms{&memory};
  GroupTable groups{&memory};
  DatatypeTable datatypes{&memory};
  OpTable ops{&memory};
  ErrhandlerTable errhandlers{&memory};
  InfoTable infos{&memory};
  Info* environment_info = nullptr;  ///< MPI_INFO_ENV; null until needed
  MessageTable messages{&memory};
  MPI_Errhandler file_errhandler = MPI_ERRORS_RETURN;  ///< of MPI_FILE_NULL
  std::pmr::vector<Keyval*> keyvals{&memory};          ///< index: see attributes.hpp; null where freed

  RankTypes* types = nullptr;  ///< see datatype/rank_types.hpp; null until needed

  Comm* own_world = nullptr;  ///< what `world` and `self` are while MPI runs
  Comm* own_self = nullptr;
  std::uint32_t ids_given = 0;  ///< of communicators: see agree_on_id(); the world has id 0, self 1

  void* attached_buffer = nullptr;  ///< MPI_Buffer_attach
  std::size_t attached_bytes = 0;
  AttachedBuffer attached{memory};
  std::uint64_t buffered_here = 0;  ///< buffered messages whose data is still with the sender
  Request* flushes = nullptr;       ///< wait until there are none; linked by `listed.next`

  std::pmr::vector<AddedError*> added_errors{&memory};  ///< see error_codes.hpp
  int last_used_code = MPI_ERR_LASTCODE;                ///< attribute MPI_LASTUSEDCODE

  std::uint64_t sync_points = 0;    ///< how many it has passed
  std::uint64_t trigger_calls = 0;  ///< calls of the collective named by --sync-at: see coll/sync_at.hpp

  // For programs written for Adaptive MPI (api_ampi.cpp).
  MPI_MigrateFn before_step = nullptr;
  MPI_MigrateFn after_step = nullptr;
  int place[4] = {};  ///< the attributes AMPI_MY_WTH and so on, as last asked for
};

/// The state of the rank that called. Precondition: a rank runs.
inline RankState& current_state() { return *current_rank()->mpi; }

/// Creates the state with its world and self communicators, in the slot. On the PE's own stack.
void create_rank_state(Rank& rank);

/// Between MPI_Init and MPI_Finalize, and after it. From the rank.
void begin_running(RankState& state);
void end_running(RankState& state);

/// How many ranks the job has. Constant after start.
extern int rank_count;
/// Once, before any rank is made.
void set_rank_count(int ranks);

/// Index: world rank. Filled as they are asked for, and true for good: a state has its address for life,
/// wherever its rank is.
extern std::vector<RankState*> known_states;
/// The state of a rank that is on this PE. One look instead of two: the table is hot, while the slots of many
/// ranks are not.
inline RankState& state_of(int world_rank) {
  RankState*& known = known_states[static_cast<std::size_t>(world_rank)];
  if (!known) [[unlikely]]
    known = rank_in_slot(world_rank).mpi;
  return *known;
}

/// What a function does before MPI_Init and after MPI_Finalize (MPI 4.1, 11.4.1): it ends the job at once;
/// or, on the way of every message, once it finds that a communicator or request is none, which costs nothing
/// while MPI runs; or it works as ever.
enum class Outside { ends_the_job, shows_in_handle, is_allowed };

class ApiCall;
[[noreturn, gnu::cold]] void refuse_outside(const ApiCall& call);

/// Every MPI function begins with one: from here on, allocations are the process's own, not the rank's.
class ApiCall {
 public:
  explicit ApiCall(const char* name, Outside outside = Outside::ends_the_job)
      : function(name), state(current_state()) {
    if (outside == Outside::ends_the_job && state.stage != MpiStage::running) [[unlikely]]
      refuse_outside(*this);
  }
  const char* const function;
  RankState& state;

 private:
  fiber::RuntimeScope runtime_;
};

/// For calls whose Outside shows in a handle: ends the job if MPI does not run, naming the function.
inline void require_running(const ApiCall& call) {
  if (call.state.stage != MpiStage::running) [[unlikely]]
    refuse_outside(call);
}

/// Code of the program called from within MPI (operations, error handlers, attribute functions) allocates
/// from the rank's heap again.
class ProgramScope {
 public:
  explicit ProgramScope(Rank& rank) { fiber::thread_block.heap = &rank.heap; }
  ~ProgramScope() { fiber::thread_block.heap = nullptr; }
  ProgramScope(const ProgramScope&) = delete;
  ProgramScope& operator=(const ProgramScope&) = delete;
};

}  // namespace skein::vmpi
