// SPDX-License-Identifier: Apache-2.0
// Advice from a reserved process (SKEIN_MPMD): what the program tells goes there alone, and what was decided
// comes back, at this call of advise() or at a later one.
//
//   idle --ask--> asked --all have the answer: stay--> asks anew at the same call
//                   |
//                   +--all have the answer: move--> applied at this call, idle
//
// Mode decoupled waits for the answer at the asking call; lazy as `wait=` says, else never.
//
// Those that decide may be of the application (decoupled without `reserved`): they do so while they wait at
// the call, and none leaves it before all have their answers.
//
// All processes are to apply a decision at the same call. Whether all have their answers, one nonblocking
// all-reduction of a flag tells: it is begun by a call that goes on, and completed by the next one. So while
// a question is out a call waits for no process that is not at that call yet to come there, as a call that is
// collective may.
#pragma once
#include <mpi.h>

#include <optional>

#include "runtime/advisor/told.hpp"
#include "runtime/advisor/virtual_world.hpp"
#include "runtime/advisor/wire.hpp"
#include "skein/lb/mode.hpp"

namespace skein::advisor {

class RemoteJudge {
 public:
  /// Collective over `comm`, which outlives it.
  RemoteJudge(MPI_Comm comm, const VirtualWorld& world, const AdvisorOptions& options,
              const lb::CostModel& cost);
  /// Collective. Waits for an answer that is still to come, since MPI cannot end with a message under way.
  ~RemoteJudge();
  RemoteJudge(const RemoteJudge&) = delete;
  RemoteJudge& operator=(const RemoteJudge&) = delete;

  /// Collective. Throws std::invalid_argument on all processes alike for what was told at this call, or at
  /// the one that asked.
  Advice advise(const ProcessInput& given);
  void moved(double seconds) { moved_s_ += seconds; }

 private:
  void send(wire::Kind kind, const ProcessInput& given);
  void ask(const ProcessInput& given);
  Advice finish(const ProcessInput& given);
  Advice apply(const ProcessInput& given);
  Advice go_on(const ProcessInput& given);
  /// Whether the answer is here.
  bool has_answer();
  /// Waits for it, unless patience ends; tells then, or ends the job.
  bool await_answer();
  /// Waits where there is nothing to go on with: reports that nobody answers, and goes on waiting.
  void await_without_patience();
  void complete(MPI_Request& request);
  bool is_agreed();
  bool is_to_wait() const;
  void tell_silence();

  MPI_Comm comm_;
  VirtualWorld world_;
  lb::Mode mode_;
  wire::Question question_;  // what all questions have
  double moved_s_ = 0;

  std::uint64_t calls_ = 0, asked_at_ = 0;
  bool asked_ = false;
  double asked_s_ = 0;
  bool told_silence_ = false;
  const std::uint64_t wait_calls_;  // behind the asking call, at which all wait
  wire::Sending sending_;
  std::optional<wire::Answer> answer_;
  int flag_ = 0, all_flags_ = 0;
  MPI_Request agreement_ = MPI_REQUEST_NULL;
};

}  // namespace skein::advisor
