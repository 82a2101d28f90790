// SPDX-License-Identifier: Apache-2.0
#include "runtime/mpmd/decider.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/advisor/judge.hpp"
#include "runtime/advisor/wire.hpp"
#include "runtime/mpmd/world.hpp"
#include "skein/lb/auto_wait.hpp"

namespace skein::mpmd {
namespace {

namespace wire = advisor::wire;

double now() { return PMPI_Wtime(); }

// One member's question, as it came.
struct Asked {
  int source = 0;
  wire::Question question;
  advisor::Told told;
};

// The advisor of one communicator.
class Client {
 public:
  explicit Client(const wire::Question& first)
      : judge_(first.options, first.cost, now), asked_(static_cast<std::size_t>(first.members)) {}

  void take(Asked asked) { asked_[static_cast<std::size_t>(asked.question.member)] = std::move(asked); }
  bool has_all() const {
    return std::ranges::all_of(asked_, [](const auto& one) { return one.has_value(); });
  }
  // Once it has all. The answer of each member, in their order; empty if the advisor ends.
  std::vector<wire::Answer> answers();
  // Who asked, and forgets that they did.
  std::vector<Asked> release();

 private:
  wire::Answer unanswerable(const std::exception& error) const {
    wire::Answer answer;
    answer.error = error.what();
    return answer;
  }
  const wire::Question& question() const { return asked_.front()->question; }

  advisor::Judge judge_;
  std::vector<std::optional<Asked>> asked_;
  lb::lazy::AutoWait auto_wait_;
  // The last verdict and what it is of.
  advisor::Gathered then_;
  std::uint64_t steps_then_ = 1;
  advisor::Verdict decided_;
};

std::vector<wire::Answer> Client::answers() {
  const double started = now();
  std::vector<wire::Answer> answers(asked_.size());
  try {
    advisor::Told all;
    double moved_s = 0;
    for (const std::optional<Asked>& one : asked_) {
      all.append(one->told);
      moved_s = std::max(moved_s, one->question.moved_s);
    }
    if (moved_s > 0) judge_.moved(moved_s);
    advisor::Gathered gathered = advisor::assemble(all);
    const bool is_late = question().kind == wire::Kind::apply;
    advisor::Verdict verdict =
        is_late ? judge_.apply_late(then_, steps_then_, decided_, gathered, question().steps)
                : judge_.judge(gathered, question().steps, started);
    for (std::size_t p = 0; p < answers.size(); ++p) answers[p].advice = verdict.for_process(p, gathered);
    if (!is_late) {
      const lb::lazy::Point wait = auto_wait_.next(gathered.snapshot, static_cast<double>(question().calls));
      for (wire::Answer& one : answers) one.wait_calls = wait;
      then_ = std::move(gathered);
      steps_then_ = question().steps;
      decided_ = std::move(verdict);
    }
  } catch (const std::exception& error) {
    answers.assign(asked_.size(), unanswerable(error));
  }
  return answers;
}

std::vector<Asked> Client::release() {
  std::vector<Asked> all;
  for (std::optional<Asked>& one : asked_) all.push_back(*std::exchange(one, std::nullopt));
  return all;
}

class Decider {
 public:
  Decider(MPI_Comm job, int application) : job_(job), application_(application), running_(application) {}

  void run();

 private:
  void take(const wire::Received& received);
  void answer(Client& client);

  MPI_Comm job_;
  int application_;  // processes of it
  int running_;      // those that have not said farewell
  bool was_asked_ = false;
  std::map<std::pair<int, int>, Client> clients_;
  std::vector<wire::Sending> sendings_;
};

void Decider::run() {
  wire::Pause idle;
  while (running_ > 0) {
    if (const auto received = wire::receive_if_any(job_, MPI_ANY_SOURCE, wire::kToDecider)) {
      take(*received);
      idle = {};
    } else {
      idle.next();
    }
    std::erase_if(sendings_, [](wire::Sending& one) { return one.is_done(); });
  }
  for (int p = 0; p < application_; ++p) sendings_.emplace_back(job_, p, wire::kEnd, wire::Bytes());
  for (wire::Sending& one : sendings_) one.wait();
  if (!was_asked_)
    std::fprintf(stderr,
                 "skein mpmd: the reserved processes had nothing to decide: the program has never asked the "
                 "advisor (skein/advisor.hpp)\n");
}

void Decider::take(const wire::Received& received) {
  Asked asked{.source = received.source, .question = {}, .told = {}};
  asked.question = wire::unpack_question(received.bytes, asked.told);
  const wire::Question question = asked.question;
  if (question.kind == wire::Kind::farewell) {
    --running_;
    return;
  }
  was_asked_ = true;
  const std::pair name{question.owner, question.serial};
  Client& client = clients_.try_emplace(name, question).first->second;
  client.take(std::move(asked));
  if (!client.has_all()) return;
  if (question.kind == wire::Kind::close)
    clients_.erase(name);
  else
    answer(client);
}

void Decider::answer(Client& client) {
  const std::vector<wire::Answer> answers = client.answers();
  const std::vector<Asked> askers = client.release();
  for (std::size_t p = 0; p < askers.size(); ++p)
    sendings_.emplace_back(job_, askers[p].source, askers[p].question.answer_tag, wire::pack(answers[p]));
}

// Those of the reserved processes that have nothing to do do not keep a processor busy.
void wait_asleep(MPI_Comm reserved) {
  MPI_Request all_here = MPI_REQUEST_NULL;
  PMPI_Ibarrier(reserved, &all_here);
  wire::Pause pause;
  for (int done = 0; !done; pause.next()) PMPI_Test(&all_here, &done, MPI_STATUS_IGNORE);
}

}  // namespace

void decide_until_end(MPI_Comm job, int application) {
  int here = 0;
  PMPI_Comm_rank(job, &here);
  if (here == application) Decider(job, application).run();
  wait_asleep(world_of_application);
}

}  // namespace skein::mpmd
