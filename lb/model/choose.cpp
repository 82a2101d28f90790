// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <limits>
#include <numeric>
#include <optional>

#include "lb/libraries/library.hpp"
#include "lb/model/outlook.hpp"
#include "skein/lb/model.hpp"

namespace skein::lb {
namespace {

constexpr std::uint32_t kLibraries = uses_scotch | uses_metis | uses_zoltan;
// For the first decision with a library its module is loaded: from disk, if nobody did so lately.
constexpr double kLoadingSeconds = 0.02;

class Chooser {
 public:
  Chooser(const Snapshot& snapshot, const Learned& learned, const ChoiceInput& input)
      : snapshot_(snapshot),
        learned_(learned),
        input_(input),
        outlook_(snapshot, input.cost, input.may_split),
        decisions_(input.candidates.size()) {}

  Choice choose() {
    predict_all();
    work_out_cheapest();
    for (;;) {
      const std::size_t best = least_to_pay();
      if (choice_.rows[best].worked_out) return finish(best);
      work_out(best);
    }
  }

 private:
  void predict_all() {
    Prediction none{"none", 0, 0, outlook_.present_s(), 0, true};
    none.total_s = total_seconds(none, outlook_.present_s(), input_.horizon);
    choice_.rows.push_back(none);
    if (!input_.stepwise_links.empty())
      choice_.rows.push_back(outlook_.expect_stepwise_diffusion(input_.stepwise_links, input_.horizon));
    first_candidate_ = choice_.rows.size();
    for (const Selection& candidate : input_.candidates) {
      add_total(choice_.rows.emplace_back(outlook_.expect(candidate, learned_.character(*candidate.info))),
                candidate);
    }
  }

  void work_out_cheapest() {
    std::vector<std::size_t> rows(input_.candidates.size());
    std::iota(rows.begin(), rows.end(), first_candidate_);
    const auto decision_s = [this](std::size_t row) { return choice_.rows[row].decision_s; };
    std::ranges::stable_sort(rows, {}, decision_s);
    double left_s = input_.to_spend_s;
    for (const std::size_t row : rows) {
      left_s -= decision_s(row);
      if (left_s <= 0) return;
      work_out(row);
    }
  }

  void work_out(std::size_t row) {
    const Selection& candidate = input_.candidates[row - first_candidate_];
    if (!why_unavailable(*candidate.info).empty()) {
      choice_.rows[row].total_s = std::numeric_limits<double>::infinity();
      return;
    }
    const double start = now();
    Decision& decision = decisions_[row - first_candidate_];
    if (input_.may_split)
      decision = candidate.decide(snapshot_, input_.seed);
    else
      decision.pe_of = candidate.assign(snapshot_, input_.seed);
    const double seconds =
        input_.decision_seconds ? input_.decision_seconds(candidate.info->name, snapshot_) : now() - start;
    Character character = outlook_.character_of(candidate, decision);
    choice_.rows[row] = outlook_.evaluate(decision);
    add_total(choice_.rows[row], candidate);
    const double step_s = choice_.rows[row].step_s;
    if (best_step_s_) character.behind_best = step_s / *best_step_s_ - 1;
    choice_.trials.push_back({std::string(candidate.info->name), seconds, character});
    best_step_s_ = std::min(step_s, best_step_s_.value_or(step_s));
    compare_with_best();
  }

  // What the snapshot does not allow, however good a strategy is, shows in what was worked out.
  void compare_with_best() {
    for (std::size_t row = first_candidate_; row < choice_.rows.size(); ++row) {
      Prediction& other = choice_.rows[row];
      if (other.worked_out) continue;
      const auto behind = learned_.character(*input_.candidates[row - first_candidate_].info).behind_best;
      if (!behind) continue;
      other.step_s = *best_step_s_ * (1 + *behind);
      other.total_s = total_seconds(other, outlook_.present_s(), input_.horizon);
    }
  }

  void add_total(Prediction& row, const Selection& candidate) const {
    row.strategy = candidate.info->name;
    row.decision_s = learned_.decision_seconds(*candidate.info, snapshot_) + loading_seconds(*candidate.info);
    row.total_s = total_seconds(row, outlook_.present_s(), input_.horizon);
  }

  double loading_seconds(const StrategyInfo& info) const {
    const std::uint32_t library = info.traits & kLibraries;
    const auto shows_it_loaded = [&](const Selection& other) {
      return (other.info->traits & library) && learned_.knows(other.info->name);
    };
    return library == 0 || std::ranges::any_of(input_.candidates, shows_it_loaded) ? 0 : kLoadingSeconds;
  }

  // The row whose total has least to be paid still: its decision was paid where it was worked out. The first
  // of equals, so `none` where nothing is gained.
  std::size_t least_to_pay() const {
    const auto to_pay = [this](const Prediction& row) {
      const auto place = static_cast<std::size_t>(&row - choice_.rows.data());
      return row.total_s - (place >= first_candidate_ && row.worked_out ? row.decision_s : 0);
    };
    return static_cast<std::size_t>(std::ranges::min_element(choice_.rows, {}, to_pay) -
                                    choice_.rows.begin());
  }

  Choice finish(std::size_t best) {
    choice_.chosen = best;
    choice_.worked_out.resize(choice_.rows.size());
    for (std::size_t k = 0; k < decisions_.size(); ++k)
      if (decisions_[k].splits.empty()) choice_.worked_out[first_candidate_ + k] = decisions_[k].pe_of;
    Decision decision{snapshot_.objects.pe, {}};
    if (best >= first_candidate_) decision = std::move(decisions_[best - first_candidate_]);
    choice_.assignment = std::move(decision.pe_of);
    choice_.splits = std::move(decision.splits);
    return std::move(choice_);
  }

  double now() const { return input_.clock ? input_.clock() : 0; }

  const Snapshot& snapshot_;
  const Learned& learned_;
  const ChoiceInput& input_;
  Outlook outlook_;
  std::vector<Decision> decisions_;    // of the candidates that were worked out
  std::optional<double> best_step_s_;  // the shortest next interval among these
  std::size_t first_candidate_ = 0;    // row
  Choice choice_;
};

}  // namespace

std::vector<Selection> candidates_for(const Snapshot& snapshot) {
  std::vector<Selection> candidates;
  for (const StrategyInfo& info : strategies()) {
    if (!(info.traits & for_auto)) continue;
    if ((info.traits & needs_graph) && snapshot.graph.empty()) continue;
    if ((info.traits & needs_positions) && snapshot.objects.position.empty()) continue;
    if (!was_built(info)) continue;
    Selection selection = with_defaults(info);
    // When to balance is what the model weighs.
    if (selection.options.declares(kTriggerKey, KeyType::real)) selection.options.set(kTriggerKey, 1);
    if (selection.missing_key().empty()) candidates.push_back(std::move(selection));
  }
  return candidates;
}

Choice choose(const Snapshot& snapshot, const Learned& learned, const ChoiceInput& input) {
  return Chooser(snapshot, learned, input).choose();
}

std::string describe(const Choice& choice) {
  std::vector<std::size_t> order(choice.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t row) { return choice.rows[row].total_s; });
  std::string text = "  strategy          decision ms  movement ms      step ms     total s\n";
  for (std::size_t k : order) {
    const Prediction& row = choice.rows[k];
    char line[160];
    std::snprintf(line, sizeof line, "%c %-16s %12.3f %12.3f %12.3f %11.4f%s\n",
                  k == choice.chosen ? '*' : ' ', row.strategy.c_str(), row.decision_s * 1e3,
                  row.movement_s * 1e3, row.step_s * 1e3, row.total_s,
                  row.worked_out ? "" : "  predicted only");
    text += line;
  }
  return text;
}

}  // namespace skein::lb
