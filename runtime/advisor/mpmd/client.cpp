// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/mpmd/client.hpp"

#include <algorithm>
#include <exception>

namespace skein::mpmd {
namespace {

wire::Answer unanswerable(const std::exception& error) {
  wire::Answer answer;
  answer.error = error.what();
  return answer;
}

}  // namespace

bool LoneClient::has_all() const {
  return std::ranges::all_of(asked_, [](const auto& one) { return one.has_value(); });
}

std::vector<wire::Answer> LoneClient::answers() {
  const double started = clock_();
  std::vector<wire::Answer> answers(asked_.size());
  try {
    advisor::ProcessReport all;
    double moved_s = 0;
    for (const std::optional<MemberQuestion>& one : asked_) {
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
      then_ = std::move(gathered);
      steps_then_ = question().steps;
      decided_ = std::move(verdict);
    }
  } catch (const std::exception& error) {
    answers.assign(asked_.size(), unanswerable(error));
  }
  return answers;
}

std::vector<MemberQuestion> LoneClient::release() {
  std::vector<MemberQuestion> all;
  for (std::optional<MemberQuestion>& one : asked_) all.push_back(*std::exchange(one, std::nullopt));
  return all;
}

std::vector<std::pair<MemberQuestion, wire::Answer>> TeamClient::answers(const wire::Question& question,
                                                                         lb::Team& team) {
  std::ranges::sort(asked_, {}, [](const MemberQuestion& one) { return one.question.member; });
  advisor::ToldHere here;
  double moved_s = 0;
  for (const MemberQuestion& one : asked_) {
    here.members.push_back(one.question.member);
    here.told.append(one.told);
    moved_s = std::max(moved_s, one.question.moved_s);
  }
  std::vector<wire::Answer> answers(asked_.size());
  try {
    judge_.moved(moved_s, team);
    const auto members = static_cast<std::size_t>(question.members);
    const std::vector<Advice> advice = question.kind == wire::Kind::apply
                                           ? judge_.apply_late(here, members, question.steps, team)
                                           : judge_.judge(here, members, question.steps, team);
    for (std::size_t k = 0; k < answers.size(); ++k) answers[k].advice = advice[k];
  } catch (const std::exception& error) {
    answers.assign(asked_.size(), unanswerable(error));
  }
  std::vector<std::pair<MemberQuestion, wire::Answer>> each;
  for (std::size_t k = 0; k < asked_.size(); ++k)
    each.emplace_back(std::move(asked_[k]), std::move(answers[k]));
  asked_.clear();
  return each;
}

}  // namespace skein::mpmd
