// SPDX-License-Identifier: Apache-2.0
// The state that the MPI library keeps for a rank. It lives in the rank's slot and moves with it.
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

  /// The members that each message touches lie together: one cache line that starts and waits read; one that
  /// sends write, the sender's and the receiver's, which ends with the first word of `matching`.
  RequestTable requests;
  Rank& rank;
  /// The communicators of MPI_COMM_WORLD and MPI_COMM_SELF. Null before MPI_Init and after MPI_Finalize; and
  /// `comms` and `requests` are empty while MPI does not run, so that calls outside of it find nothing: see
  /// Outside.
  Comm* world = nullptr;
  Comm* self = nullptr;
  std::uint64_t sent_messages = 0;  ///< including those of collectives
  std::uint64_t sent_bytes = 0;
  Waiter* probing = nullptr;               ///< set in a probe that waits for the next unexpected message
  MpiStage stage = MpiStage::before_init;  ///< running while there are sessions, too
  MpiStage world_stage = MpiStage::before_init;  ///< of MPI_Init and MPI_Finalize alone
  int thread_level = MPI_THREAD_SINGLE;
  MatchQueues matching{rank.memory};
  /// PEs that wait for room here: see p2p/flow_control.hpp.
  std::pmr::vector<int> pes_held_back{&rank.memory};

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

  Comm* own_world = nullptr;  ///< `world` and `self` between MPI_Init and MPI_Finalize
  Comm* own_self = nullptr;
  std::uint32_t ids_given = 0;  ///< to communicators: see agree_on_id(); the world has id 0, self 1

  BufferPool buffers{memory};                 ///< MPI_Buffer_attach
  AwaitedOpening* unused_openings = nullptr;  ///< see p2p/partitioned.cpp

  JointPart* joint_parts = nullptr;  ///< parts of joint operations under way: see coll/joint/joint.hpp
  JointPart* unused_joint_parts = nullptr;

  std::pmr::vector<Truncated> truncated{&memory};  ///< messages whose error no call has raised yet

  std::pmr::vector<AddedError*> added_errors{&memory};  ///< see error_codes.hpp
  std::pmr::vector<int> removed_errors{&memory};        ///< numbers to be used again: a heap
  int last_used_code = MPI_ERR_LASTCODE;                ///< attribute MPI_LASTUSEDCODE

  /// With --check: the data of check/, and the function that the rank called last.
  Checks* checks = nullptr;
  const char* calling = "";

  double began = 0;               ///< job_seconds() when the state was made
  std::uint64_t sync_points = 0;  ///< number of sync points that the rank has passed
  std::uint64_t moves = 0;        ///< number of times that the rank came to another PE
  /// Number of calls of the collective named by --sync-at: see coll/api/sync_at.hpp.
  std::uint64_t trigger_calls = 0;
  bool has_own_points = false;  ///< whether the program has called MPI_Migrate() or AMPI's

  std::atomic<std::uint32_t> updating = 0;  ///< accumulates on this rank's windows: see rma/update.hpp

  /// For programs written for Adaptive MPI (api_ampi.cpp).
  MPI_MigrateFn before_step = nullptr;
  MPI_MigrateFn after_step = nullptr;
  int place[4] = {};  ///< the attributes AMPI_MY_WTH and so on, as last asked for
};

/// Returns the state of the rank that called. Precondition: a rank runs.
inline RankState& current_state() { return *current_rank()->mpi; }

struct RanksOfJob {
  int count = 1;  ///< constant after start
  /// By world rank. Filled when first needed, and valid for good: a state has one address, wherever its rank
  /// is.
  std::vector<RankState*> known_states;
};
extern RanksOfJob job_ranks;
/// Sets the number of ranks. Called once, before any rank is made.
void set_rank_count(int ranks);

/// Returns the state of a rank on this PE. One load instead of two: the table is in the cache, while the
/// slots of many ranks are not.
inline RankState& state_of(int world_rank) {
  RankState*& known = job_ranks.known_states[static_cast<std::size_t>(world_rank)];
  if (!known) [[unlikely]]
    known = rank_in_slot(world_rank).mpi;
  return *known;
}

/// The behaviour of a function before MPI_Init and after MPI_Finalize (MPI 4.1, 11.4.1). ends_the_job: ends
/// the job at once. shows_in_handle, for functions of every message: ends the job when it finds a
/// communicator or request invalid, which costs nothing while MPI runs. is_allowed: works as usual.
enum class Outside { ends_the_job, shows_in_handle, is_allowed };

class ApiCall;
[[noreturn, gnu::cold]] void refuse_outside(const ApiCall& call);

/// Begins every MPI function: from here on, allocations are the process's own, not the rank's.
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

/// Ends the job if MPI does not run, naming the function. For calls with Outside::shows_in_handle.
inline void require_running(const ApiCall& call) {
  if (call.state.stage != MpiStage::running) [[unlikely]]
    refuse_outside(call);
}

/// Runs code of the program from within MPI (operations, error handlers, attribute functions), which
/// allocates from the rank's heap. After it the rank is again in the MPI function that called it, whichever
/// others the code has called.
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
