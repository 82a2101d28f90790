// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/remote.hpp"

#include <array>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "skein/lb/lazy.hpp"

namespace skein::advisor {
namespace {

using lb::lazy::kNever;

std::uint64_t wait_of(const lb::Mode& mode) { return mode.is_lazy() ? mode.wait.value_or(kNever) : 0; }

}  // namespace

RemoteJudge::RemoteJudge(MPI_Comm comm, const VirtualWorld& world, const AdvisorOptions& options,
                         const lb::CostModel& cost)
    : comm_(comm), world_(world), mode_(lb::parse_mode(world.mode)), wait_calls_(wait_of(mode_)) {
  static int serial = 0;
  std::array<int, 2> name{0, serial++};
  // A late answer to a forgotten question must not be taken for that to another one.
  question_.answer_tag = wire::kFirstAnswerTag + name[1] % (wire::kLastAnswerTag - wire::kFirstAnswerTag + 1);
  PMPI_Comm_rank(world.job, &name[0]);
  PMPI_Bcast(name.data(), 2, MPI_INT, 0, comm);
  question_.owner = name[0];
  question_.serial = name[1];
  question_.options = options;
  question_.cost = cost;
  PMPI_Comm_rank(comm, &question_.member);
  PMPI_Comm_size(comm, &question_.members);
}

RemoteJudge::~RemoteJudge() {
  PMPI_Wait(&agreement_, MPI_STATUS_IGNORE);
  if (asked_) await_without_patience();
  sending_.wait();
  send(wire::Kind::close, {});
  while (world_.serve && !sending_.is_done()) world_.serve();
  sending_.wait();
}

void RemoteJudge::send(wire::Kind kind, const ProcessInput& given) {
  wire::Question question = question_;
  question.kind = kind;
  question.steps = given.steps;
  question.moved_s = std::exchange(moved_s_, 0.0);
  sending_.wait();
  sending_ =
      wire::Sending(world_.job, world_.decider, wire::kToDecider, wire::pack(question, told_by(given)));
  asked_s_ = PMPI_Wtime();
  told_silence_ = false;
}

void RemoteJudge::ask(const ProcessInput& given) {
  send(wire::Kind::decide, given);
  asked_ = true;
  asked_at_ = calls_;
}

bool RemoteJudge::has_answer() {
  sending_.is_done();  // calls of MPI advance a long message
  if (world_.serve) world_.serve();
  if (answer_) return true;
  const auto received = wire::receive_if_any(world_.job, world_.decider, question_.answer_tag);
  if (received) answer_ = wire::unpack_answer(received->bytes);
  return answer_.has_value();
}

bool RemoteJudge::await_answer() {
  wire::Pause pause;
  while (!has_answer()) {
    if (!world_.serve && PMPI_Wtime() - asked_s_ > mode_.patience_s) {
      tell_silence();
      return false;
    }
    pause.next();
  }
  return true;
}

void RemoteJudge::await_without_patience() {
  wire::Pause pause;
  while (!await_answer()) pause.next();
}

/// Reports the silence, once for each question: the first member does, or the process that ends the job.
void RemoteJudge::tell_silence() {
  if (std::exchange(told_silence_, true)) return;
  if (question_.member == 0 || mode_.ends_if_silent)
    std::fprintf(
        stderr,
        "skein advisor: process %d of the job, which decides, has not answered for %g s (patience=); %s\n",
        world_.decider, mode_.patience_s,
        mode_.ends_if_silent ? "the job ends (silent=end)" : "the program goes on as it is");
  if (mode_.ends_if_silent) PMPI_Abort(world_.job, 3);
}

bool RemoteJudge::is_to_wait() const { return wait_calls_ != kNever && calls_ - asked_at_ >= wait_calls_; }

void RemoteJudge::complete(MPI_Request& request) {
  wire::Pause pause;
  for (int done = 0; !done; pause.next()) {
    if (world_.serve) world_.serve();
    PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
  }
}

/// Returns true if all have their answers. At this call all do the same: they complete what the last call
/// began, or wait and reduce at once.
bool RemoteJudge::is_agreed() {
  PMPI_Wait(&agreement_, MPI_STATUS_IGNORE);
  if (calls_ > asked_at_ && all_flags_) return true;
  if (!is_to_wait()) return false;
  flag_ = await_answer();
  PMPI_Iallreduce(&flag_, &all_flags_, 1, MPI_INT, MPI_MIN, comm_, &agreement_);
  complete(agreement_);
  return all_flags_;
}

Advice RemoteJudge::advise(const ProcessInput& given) {
  ++calls_;
  if (!asked_) ask(given);
  if (is_agreed()) return finish(given);
  return go_on(given);
}

Advice RemoteJudge::go_on(const ProcessInput& given) {
  flag_ = has_answer();
  if (!flag_ && PMPI_Wtime() - asked_s_ > mode_.patience_s) tell_silence();
  all_flags_ = 0;
  PMPI_Iallreduce(&flag_, &all_flags_, 1, MPI_INT, MPI_MIN, comm_, &agreement_);
  Advice advice;
  advice.awaited = true;
  advice.strategy = "none";
  advice.process.assign(given.elements.size(), question_.member);
  return advice;
}

Advice RemoteJudge::finish(const ProcessInput& given) {
  wire::Answer answer = *std::exchange(answer_, std::nullopt);
  asked_ = false;
  if (!answer.error.empty()) throw std::invalid_argument(answer.error);
  const std::uint64_t calls_late = calls_ - asked_at_;
  answer.advice.calls_late = calls_late;
  if (calls_late == 0) return answer.advice;
  if (!answer.advice.balance) {
    // The places are those of the elements at the asking call.
    answer.advice.process.assign(given.elements.size(), question_.member);
    ask(given);
    go_on(given);
    return answer.advice;
  }
  Advice advice = apply(given);
  advice.calls_late = calls_late;
  return advice;
}

/// Applies the verdict. The decider only looks up and compares, so all wait for it.
Advice RemoteJudge::apply(const ProcessInput& given) {
  send(wire::Kind::apply, given);
  await_without_patience();
  wire::Answer answer = *std::exchange(answer_, std::nullopt);
  if (!answer.error.empty()) throw std::invalid_argument(answer.error);
  return answer.advice;
}

}  // namespace skein::advisor
