// SPDX-License-Identifier: Apache-2.0
// What the MPI library keeps for one rank. It lives in the rank's slot and moves with it.
#pragma once

#include <array>
#include <atomic>
#include <memory_resource>
#include <optional>
#include <vector>

#include "runtime/rank/rank.hpp"
#include "runtime/vmpi/api.hpp"
#include "runtime/vmpi/handles.hpp"
#include "runtime/vmpi/p2p/buffer_pool.hpp"
#include "runtime/vmpi/p2p/match.hpp"
#include "runtime/vmpi/p2p/request_table.hpp"
#include "runtime/vmpi/p2p/truncation.hpp"

namespace skein::vmpi {

struct Comm;
struct Group;
struct Errhandler;
struct Keyval;
struct AddedError;
struct AwaitedOpening;
struct JointPart;
struct Checks;
struct Session;
struct ToolState;
struct RankTypes;
namespace fortran {
class SectionTypes;
}
struct File;
struct RegisteredRepresentation;
class Datatype;
class Op;
class Info;
struct Unexpected;
struct Waiter;
struct Window;

using CommTable = HandleTable<Comm, MPI_Comm, HandleKind::comm>;
using GroupTable = HandleTable<Group, MPI_Group, HandleKind::group>;
using DatatypeTable = HandleTable<Datatype, MPI_Datatype, HandleKind::datatype>;
using OpTable = HandleTable<Op, MPI_Op, HandleKind::op>;
using ErrhandlerTable = HandleTable<Errhandler, MPI_Errhandler, HandleKind::errhandler>;
using InfoTable = HandleTable<Info, MPI_Info, HandleKind::info>;
using FileTable = HandleTable<File, MPI_File, HandleKind::file>;
using SessionTable = HandleTable<Session, MPI_Session, HandleKind::session>;
using MessageTable = HandleTable<Unexpected, MPI_Message, HandleKind::message>;
using WindowTable = HandleTable<Window, MPI_Win, HandleKind::window>;

enum class MpiStage : std::uint8_t { before_init, running, finalized };

struct alignas(64) RankState {
  explicit RankState(Rank& owner);
  RankState(const RankState&) = delete;
  RankState& operator=(const RankState&) = delete;

  /// What each message touches lies together: a line of the cache of what starts and waits look at; one that
  /// sends write, the sender's and the receiver's, which ends with the first word of `matching`.
  RequestTable requests;
  Rank& rank;
  /// What MPI_COMM_WORLD and MPI_COMM_SELF stand for. Null before MPI_Init and after MPI_Finalize; and
  /// `comms` and `requests` are empty while MPI does not run, so that calls outside of it find nothing: see
  /// Outside.
  Comm* world = nullptr;
  Comm* self = nullptr;
  std::uint64_t sent_messages = 0;  ///< those of collectives included
  std::uint64_t sent_bytes = 0;
  Waiter* probing = nullptr;  ///< in a probe: it waits for the next message that arrives unexpectedly
  MpiStage stage = MpiStage::before_init;        ///< it runs while there are sessions, too
  MpiStage world_stage = MpiStage::before_init;  ///< of MPI_Init and MPI_Finalize alone
  int thread_level = MPI_THREAD_SINGLE;
  MatchQueues matching{rank.memory};
  std::pmr::vector<int> pes_held_back{&rank.memory};  ///< who wait for room here: see p2p/flow_control.hpp

  std::pmr::memory_resource& memory;  ///< the slot's heap

  CommTable comms{&memory};
  GroupTable groups{&memory};
  DatatypeTable datatypes{&memory};
  OpTable ops{&memory};
  ErrhandlerTable errhandlers{&memory};
  InfoTable infos{&memory};
  SessionTable sessions{&memory};
  ToolState* tool = nullptr;         ///< see tool/variables.hpp; null until needed
  Info* environment_info = nullptr;  ///< MPI_INFO_ENV; null until needed
  MessageTable messages{&memory};
  FileTable files{&memory};
  WindowTable windows{&memory};
  MPI_Errhandler file_errhandler = MPI_ERRORS_RETURN;  ///< of MPI_FILE_NULL
  std::pmr::vector<RegisteredRepresentation*> representations{&memory};
  std::pmr::vector<Keyval*> keyvals{&memory};  ///< index: see attributes.hpp; null where freed

  RankTypes* types = nullptr;                      ///< see datatype/rank_types.hpp; null until needed
  fortran::SectionTypes* section_types = nullptr;  ///< see fortran/section_types.hpp; null until needed

  Comm* own_world = nullptr;  ///< what `world` and `self` are between MPI_Init and MPI_Finalize
  Comm* own_self = nullptr;
  std::uint32_t ids_given = 0;  ///< of communicators: see agree_on_id(); the world has id 0, self 1

  BufferPool buffers{memory};                 ///< MPI_Buffer_attach
  AwaitedOpening* unused_openings = nullptr;  ///< see p2p/partitioned.cpp

  JointPart* joint_parts = nullptr;  ///< of joint operations under way: see coll/joint/joint.hpp
  JointPart* unused_joint_parts = nullptr;

  std::pmr::vector<Truncated> truncated{&memory};  ///< messages that nobody was told of yet

  std::pmr::vector<AddedError*> added_errors{&memory};  ///< see error_codes.hpp
  std::pmr::vector<int> removed_errors{&memory};        ///< numbers to be given again: a heap
  int last_used_code = MPI_ERR_LASTCODE;                ///< attribute MPI_LASTUSEDCODE

  /// With --check: what check/ keeps, and the function that the rank has called last.
  Checks* checks = nullptr;
  const char* calling = "";

  double began = 0;                 ///< job_seconds() when it was made
  std::uint64_t sync_points = 0;    ///< how many it has passed
  std::uint64_t moves = 0;          ///< how often it has come to another PE
  std::uint64_t trigger_calls = 0;  ///< calls of the collective named by --sync-at: see coll/api/sync_at.hpp
  bool has_own_points = false;      ///< the program has called MPI_Migrate() or AMPI's

  std::atomic<std::uint32_t> updating = 0;  ///< accumulates on this rank's windows: see rma/update.hpp

  /// For programs written for Adaptive MPI (api_ampi.cpp).
  MPI_MigrateFn before_step = nullptr;
  MPI_MigrateFn after_step = nullptr;
  int place[4] = {};  ///< the attributes AMPI_MY_WTH and so on, as last asked for
};

/// The state of the rank that called. Precondition: a rank runs.
inline RankState& current_state() { return *current_rank()->mpi; }

struct RanksOfJob {
  int count = 1;  ///< constant after start
  /// Index: world rank. Filled as they are asked for, and true for good: a state has its address for life,
  /// wherever its rank is.
  std::vector<RankState*> known_states;
};
extern RanksOfJob job_ranks;
/// Once, before any rank is made.
void set_rank_count(int ranks);

/// The state of a rank that is on this PE. One look instead of two: the table is hot, while the slots of many
/// ranks are not.
inline RankState& state_of(int world_rank) {
  RankState*& known = job_ranks.known_states[static_cast<std::size_t>(world_rank)];
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
    if (settings.checking) [[unlikely]]
      state.calling = name;
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
/// from the rank's heap again. Functions of MPI that it calls are over when it returns: the rank is in that
/// one again which called it.
class ProgramScope {
 public:
  explicit ProgramScope(Rank& rank) : state_(*rank.mpi), calling_(state_.calling) {
    fiber::thread_block.heap = &rank.heap;
  }
  ~ProgramScope() {
    fiber::thread_block.heap = nullptr;
    state_.calling = calling_;
  }
  ProgramScope(const ProgramScope&) = delete;
  ProgramScope& operator=(const ProgramScope&) = delete;

 private:
  RankState& state_;  // at one address for life, wherever the program lets the rank move
  const char* const calling_;
};

}  // namespace skein::vmpi
