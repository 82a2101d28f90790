// SPDX-License-Identifier: Apache-2.0
// An advisor of the application, as those who decide for it know it: what its members have asked, and with
// what it is judged.
#pragma once
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/advisor/judge.hpp"
#include "runtime/advisor/team_judge.hpp"
#include "runtime/advisor/wire.hpp"

namespace skein::mpmd {

namespace wire = advisor::wire;

/// One member's question, as it came: from this process of the job, and through that of the reserved ones.
struct MemberQuestion {
  int source = 0, through = 0;
  wire::Question question;
  advisor::ProcessReport told;
};

/// One that a process decides for alone.
class LoneClient {
 public:
  LoneClient(const wire::Question& first, double (*clock)())
      : judge_(first.options, first.cost, clock),
        clock_(clock),
        asked_(static_cast<std::size_t>(first.members)) {}

  void take(MemberQuestion asked) {
    asked_[static_cast<std::size_t>(asked.question.member)] = std::move(asked);
  }
  bool has_all() const;
  /// Once it has all: the answer of each member, in their order.
  std::vector<wire::Answer> answers();
  /// Who asked, and forgets that they did.
  std::vector<MemberQuestion> release();

 private:
  const wire::Question& question() const { return asked_.front()->question; }

  advisor::Judge judge_;
  double (*clock_)();
  std::vector<std::optional<MemberQuestion>> asked_;
  /// The last verdict and what it is of.
  advisor::Gathered then_;
  std::uint64_t steps_then_ = 1;
  advisor::Verdict decided_;
};

/// One that all reserved processes decide for together; each has some members' questions, or none.
class TeamClient {
 public:
  TeamClient(const wire::Question& first, double (*clock)()) : judge_(first.options, first.cost, clock) {}

  void take(MemberQuestion asked) { asked_.push_back(std::move(asked)); }
  /// Collective, when all members have asked the like of `question`: who asked here, and the answer of each.
  std::vector<std::pair<MemberQuestion, wire::Answer>> answers(const wire::Question& question,
                                                               lb::Team& team);

 private:
  advisor::TeamJudge judge_;
  std::vector<MemberQuestion> asked_;
};

}  // namespace skein::mpmd
