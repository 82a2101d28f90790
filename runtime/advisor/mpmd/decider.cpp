// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/mpmd/decider.hpp"

#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/advisor/mpmd/client.hpp"
#include "runtime/advisor/mpmd/world.hpp"
#include "runtime/advisor/wire.hpp"
#include "skein/lb/parallel.hpp"

namespace skein::mpmd {
namespace {

double now() { return PMPI_Wtime(); }

/// Processes that decide together (skein/lb/parallel.hpp).
class DecidingTeam final : public lb::Team {
 public:
  /// Makes the team, on a communicator of its own. Collective over `deciders`.
  explicit DecidingTeam(MPI_Comm deciders);
  ~DecidingTeam() override;
  DecidingTeam(const DecidingTeam&) = delete;
  DecidingTeam& operator=(const DecidingTeam&) = delete;

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }
  Blocks exchange(const Blocks& out) override;
  void sum(std::span<double> values) override;
  const void* communicator() const override { return &communicator_; }

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
  std::size_t rank_ = 0, size_ = 1;
};

constexpr int kBlock = 1;

DecidingTeam::DecidingTeam(MPI_Comm deciders) {
  PMPI_Comm_dup(deciders, &communicator_);
  int rank = 0, size = 1;
  PMPI_Comm_rank(communicator_, &rank);
  PMPI_Comm_size(communicator_, &size);
  rank_ = static_cast<std::size_t>(rank);
  size_ = static_cast<std::size_t>(size);
}

DecidingTeam::~DecidingTeam() { PMPI_Comm_free(&communicator_); }

/// Exchanges lengths first, since messages come in whole blocks.
lb::Team::Blocks DecidingTeam::exchange(const Blocks& out) {
  std::vector<std::uint64_t> sent(size_), coming(size_);
  for (std::size_t p = 0; p < size_; ++p) sent[p] = out[p].size();
  PMPI_Alltoall(sent.data(), 1, MPI_UINT64_T, coming.data(), 1, MPI_UINT64_T, communicator_);
  Blocks in(size_);
  in[rank_] = out[rank_];
  std::vector<wire::Sending> sendings;
  std::size_t missing = 0;
  for (std::size_t p = 0; p < size_; ++p) {
    if (p == rank_) continue;
    if (sent[p] > 0) sendings.emplace_back(communicator_, static_cast<int>(p), kBlock, out[p]);
    missing += coming[p] > 0;
  }
  while (missing > 0) {
    for (std::size_t p = 0; p < size_; ++p) {
      if (p == rank_ || coming[p] == in[p].size()) continue;
      auto received = wire::receive_if_any(communicator_, static_cast<int>(p), kBlock);
      if (!received) continue;
      in[p] = std::move(received->bytes);
      in[p].resize(coming[p]);
      --missing;
    }
  }
  for (wire::Sending& one : sendings) one.wait();
  return in;
}

/// An all-reduction may add up in another order on each process.
void DecidingTeam::sum(std::span<double> values) {
  const int count = static_cast<int>(values.size());
  const void* const mine = rank_ == 0 ? MPI_IN_PLACE : values.data();
  PMPI_Reduce(mine, values.data(), count, MPI_DOUBLE, MPI_SUM, 0, communicator_);
  PMPI_Bcast(values.data(), count, MPI_DOUBLE, 0, communicator_);
}

/// A message between deciders: this, followed by data of the kind.
struct Note {
  enum class Kind : std::int32_t {
    here,    // to the first: a question has come that all decide on together; the question without its report
    decide,  // from the first: all members have asked; the same data
    asked,   // to the first: a question for it alone, unchanged
    answer,  // from the first, to that process, by that tag
    done,    // to the first: no process will ask this one any more
    end      // from the first: no process will ask any decider
  } kind;
  std::int32_t process = 0, tag = 0,
               unused = 0;  // of the application: the asking process, and the tag of its answer
};
constexpr int kNote = 1;

wire::Bytes noted(const Note& note, const wire::Bytes& what) {
  wire::Bytes bytes(sizeof note + what.size());
  std::memcpy(bytes.data(), &note, sizeof note);
  if (!what.empty()) std::memcpy(bytes.data() + sizeof note, what.data(), what.size());
  return bytes;
}

using Name = std::pair<int, int>;  // owner and serial of an advisor
Name name_of(const wire::Question& question) { return {question.owner, question.serial}; }

class Decider {
 public:
  Decider(MPI_Comm job, int application, MPI_Comm deciders);
  ~Decider() { PMPI_Comm_free(&notes_); }
  Decider(const Decider&) = delete;
  Decider& operator=(const Decider&) = delete;

  /// Handles one message. Returns true if one had come.
  bool turn();
  void run();

 private:
  bool leads() const { return team_.rank() == 0; }
  int here() const { return static_cast<int>(team_.rank()); }
  int deciders() const { return static_cast<int>(team_.size()); }
  bool decide_together(const wire::Question& question);
  void tell(int decider, Note::Kind kind, const wire::Bytes& what = {});
  void hear(const wire::Received& received);
  void hear_application(const wire::Received& received);
  void take_alone(MemberQuestion asked);
  void count_question(const wire::Question& question);
  void decide(const wire::Question& question);
  void answer(const MemberQuestion& asked, const wire::Answer& answer);

  MPI_Comm job_, notes_ = MPI_COMM_NULL;
  DecidingTeam team_;
  int running_ = 0;  // processes of the application that talk to this one and have not said farewell
  std::vector<int> own_;
  bool over_ = false, told_why_ = false;
  std::vector<wire::Sending> sendings_;
  std::map<Name, TeamClient> together_;
  /// State of the first decider.
  bool was_asked_ = false;
  int blocks_running_ = 0;
  std::map<Name, LoneClient> alone_;
  std::map<Name, int> questions_;  // questions for all deciders that have come so far
};

Decider::Decider(MPI_Comm job, int application, MPI_Comm deciders_alone) : job_(job), team_(deciders_alone) {
  PMPI_Comm_dup(deciders_alone, &notes_);
  for (int p = 0; p < application; ++p)
    if (own_decider(p, application, deciders()) == here()) own_.push_back(p);
  running_ = static_cast<int>(own_.size());
  blocks_running_ = deciders();
  if (running_ == 0) tell(0, Note::Kind::done);
}

bool Decider::turn() {
  bool any = false;
  if (const auto received = wire::receive_if_any(job_, MPI_ANY_SOURCE, wire::kToDecider)) {
    hear_application(*received);
    any = true;
  }
  if (const auto received = wire::receive_if_any(notes_, MPI_ANY_SOURCE, kNote)) {
    hear(*received);
    any = true;
  }
  std::erase_if(sendings_, [](wire::Sending& one) { return one.is_done(); });
  return any;
}

void Decider::run() {
  wire::Pause idle;
  while (!over_) {
    if (turn())
      idle = {};
    else
      idle.next();
  }
  for (wire::Sending& one : sendings_) one.wait();
  if (leads() && !was_asked_)
    std::fprintf(
        stderr,
        "skein mpmd: the processes that decide had nothing to decide: the program has never asked the "
        "advisor (skein/advisor.hpp)\n");
}

/// Returns true if the deciders decide about this advisor together. All return the same for an advisor.
bool Decider::decide_together(const wire::Question& question) {
  if (deciders() == 1) return false;
  const std::string why = advisor::why_not_together(question.options.strategy);
  if (why.empty()) return true;
  if (leads() && !std::exchange(told_why_, true))
    std::fprintf(stderr,
                 "skein mpmd: %d processes are reserved to decide (pes=), but only one of them "
                 "decides: %s\n",
                 deciders(), why.c_str());
  return false;
}

void Decider::tell(int decider, Note::Kind kind, const wire::Bytes& what) {
  sendings_.emplace_back(notes_, decider, kNote, noted({.kind = kind}, what));
}

void Decider::hear_application(const wire::Received& received) {
  MemberQuestion asked{.source = received.source, .through = here(), .question = {}, .told = {}};
  asked.question = wire::unpack_question(received.bytes, asked.told);
  if (asked.question.kind == wire::Kind::farewell) {
    if (--running_ == 0) tell(0, Note::Kind::done);
    return;
  }
  if (decide_together(asked.question)) {
    const wire::Question question = asked.question;
    together_.try_emplace(name_of(question), question, now).first->second.take(std::move(asked));
    tell(0, Note::Kind::here, wire::pack(question, {}));
  } else if (leads()) {
    take_alone(std::move(asked));
  } else {
    sendings_.emplace_back(notes_, 0, kNote,
                           noted({.kind = Note::Kind::asked, .process = received.source}, received.bytes));
  }
}

void Decider::hear(const wire::Received& received) {
  Note note;
  std::memcpy(&note, received.bytes.data(), sizeof note);
  wire::Bytes what(received.bytes.begin() + sizeof note, received.bytes.end());
  advisor::ProcessReport told;
  switch (note.kind) {
    case Note::Kind::here:
      return count_question(wire::unpack_question(what, told));
    case Note::Kind::decide:
      return decide(wire::unpack_question(what, told));
    case Note::Kind::asked: {
      const wire::Question question = wire::unpack_question(what, told);
      return take_alone({note.process, received.source, question, std::move(told)});
    }
    case Note::Kind::answer:
      sendings_.emplace_back(job_, note.process, note.tag, std::move(what));
      return;
    case Note::Kind::done:
      if (--blocks_running_ > 0) return;
      for (int decider = 0; decider < deciders(); ++decider) tell(decider, Note::Kind::end);
      return;
    case Note::Kind::end:
      over_ = true;
      for (const int p : own_) sendings_.emplace_back(job_, p, wire::kEnd, wire::Bytes());
      return;
  }
}

void Decider::take_alone(MemberQuestion asked) {
  was_asked_ = true;
  const wire::Question question = asked.question;
  LoneClient& client = alone_.try_emplace(name_of(question), question, now).first->second;
  client.take(std::move(asked));
  if (!client.has_all()) return;
  if (question.kind == wire::Kind::close) {
    alone_.erase(name_of(question));
    return;
  }
  const std::vector<wire::Answer> answers = client.answers();
  const std::vector<MemberQuestion> askers = client.release();
  for (std::size_t p = 0; p < askers.size(); ++p) answer(askers[p], answers[p]);
}

void Decider::count_question(const wire::Question& question) {
  was_asked_ = true;
  if (++questions_[name_of(question)] < question.members) return;
  questions_.erase(name_of(question));
  for (int decider = 0; decider < deciders(); ++decider)
    tell(decider, Note::Kind::decide, wire::pack(question, {}));
}

void Decider::decide(const wire::Question& question) {
  // No member may talk to this process.
  TeamClient& client = together_.try_emplace(name_of(question), question, now).first->second;
  if (question.kind == wire::Kind::close) {
    together_.erase(name_of(question));
    return;
  }
  for (const auto& [asked, its_answer] : client.answers(question, team_)) answer(asked, its_answer);
}

/// Not destroyed if a program ends without MPI_Finalize: that is collective.
Decider* decider = nullptr;

void Decider::answer(const MemberQuestion& asked, const wire::Answer& answer) {
  wire::Bytes bytes = wire::pack(answer);
  if (asked.through == here())
    sendings_.emplace_back(job_, asked.source, asked.question.answer_tag, std::move(bytes));
  else
    sendings_.emplace_back(
        notes_, asked.through, kNote,
        noted({.kind = Note::Kind::answer, .process = asked.source, .tag = asked.question.answer_tag},
              bytes));
}

}  // namespace

void begin_deciding(MPI_Comm job, int application, MPI_Comm deciders) {
  decider = new Decider(job, application, deciders);
}

void decide_what_came() {
  if (decider) decider->turn();
}

void decide_until_end() {
  if (!decider) return;
  decider->run();
  delete std::exchange(decider, nullptr);
}

}  // namespace skein::mpmd
