// SPDX-License-Identifier: Apache-2.0
// An advisor of the application as its deciders know it: its members' questions, and its judge.
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

/// One member's question: from process `source` of the job, and received by the deciding process `through`.
struct MemberQuestion {
  int source = 0, through = 0;
  wire::Question question;
  advisor::ProcessReport told;
};

/// A client for which one process decides.
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
  /// Returns, once all members have asked, the answer of each, in their order.
  std::vector<wire::Answer> answers();
  /// Returns the questions, and forgets them.
  std::vector<MemberQuestion> release();

 private:
  const wire::Question& question() const { return asked_.front()->question; }

  advisor::Judge judge_;
  double (*clock_)();
  std::vector<std::optional<MemberQuestion>> asked_;
  /// The last verdict and its input.
  advisor::Gathered then_;
  std::uint64_t steps_then_ = 1;
  advisor::Verdict decided_;
};

/// A client for which all reserved processes decide together; each has some members' questions, or none.
class TeamClient {
 public:
  TeamClient(const wire::Question& first, double (*clock)()) : judge_(first.options, first.cost, clock) {}

  void take(MemberQuestion asked) { asked_.push_back(std::move(asked)); }
  /// Decides, when all members have asked questions like `question`. Collective. Returns the members that
  /// asked here, and the answer of each.
  std::vector<std::pair<MemberQuestion, wire::Answer>> answers(const wire::Question& question,
                                                               lb::Team& team);

 private:
  advisor::TeamJudge judge_;
  std::vector<MemberQuestion> asked_;
};

}  // namespace skein::mpmd
