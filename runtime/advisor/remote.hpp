// SPDX-License-Identifier: Apache-2.0
// Advice from a reserved process (SKEIN_MPMD): the program's reports go there alone, and the decision comes
// back, at this call of advise() or at a later one.
//
//   idle --ask--> asked --all have the answer: stay--> asks anew at the same call
//                   |
//                   +--all have the answer: move--> applied at this call, idle
//
// Mode decoupled waits for the answer at the asking call; lazy as `wait=` says, else never.
//
// The deciders may be of the application (decoupled without `reserved`): they decide while they wait at the
// call, and none leaves it before all have their answers.
//
// All processes are to apply a decision at the same call. One nonblocking all-reduction of a flag tells
// whether all have their answers: one call begins it, and the next completes it. So while a question is out,
// a call waits for other processes only to come to that same call, as a collective call may.
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
  /// Begins. Collective over `comm`, which must outlive this object.
  RemoteJudge(MPI_Comm comm, const VirtualWorld& world, const AdvisorOptions& options,
              const lb::CostModel& cost);
  /// Ends. Collective. Waits for an answer that is still to come, since MPI cannot end with a message under
  /// way.
  ~RemoteJudge();
  RemoteJudge(const RemoteJudge&) = delete;
  RemoteJudge& operator=(const RemoteJudge&) = delete;

  /// Returns the advice. Collective. Throws std::invalid_argument on all processes alike for wrong input at
  /// this call, or at the one that asked.
  Advice advise(const ProcessInput& given);
  void moved(double seconds) { moved_s_ += seconds; }

 private:
  void send(wire::Kind kind, const ProcessInput& given);
  void ask(const ProcessInput& given);
  Advice finish(const ProcessInput& given);
  Advice apply(const ProcessInput& given);
  Advice go_on(const ProcessInput& given);
  /// Returns true if the answer is here.
  bool has_answer();
  /// Waits for the answer until patience ends; then reports the silence, or ends the job. Returns true if it
  /// came.
  bool await_answer();
  /// Waits if there is nothing to go on with: reports that nobody answers, and goes on waiting.
  void await_without_patience();
  void complete(MPI_Request& request);
  bool is_agreed();
  bool is_to_wait() const;
  void tell_silence();

  MPI_Comm comm_;
  VirtualWorld world_;
  lb::Mode mode_;
  wire::Question question_;  // the common part of all questions
  double moved_s_ = 0;

  std::uint64_t calls_ = 0, asked_at_ = 0;
  bool asked_ = false;
  double asked_s_ = 0;
  bool told_silence_ = false;
  const std::uint64_t wait_calls_;  // calls after the asking one at which all wait
  wire::Sending sending_;
  std::optional<wire::Answer> answer_;
  int flag_ = 0, all_flags_ = 0;
  MPI_Request agreement_ = MPI_REQUEST_NULL;
};

}  // namespace skein::advisor
