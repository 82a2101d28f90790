// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include "lb/kernel/usual_costs.hpp"
#include "lb/libraries/library.hpp"
#include "lb/model/outlook.hpp"

namespace skein::lb {
namespace {

constexpr std::uint32_t kLibraries = uses_scotch | uses_metis | uses_zoltan;
/// The time to load a library's module for its first decision, from disk if it is not in the page cache.
constexpr double kLoadingSeconds = 0.02;

class Chooser {
  static constexpr std::size_t kFirstCandidate = 1;  // a row, after that of `none`

 public:
  Chooser(const Snapshot& snapshot, const Learned& learned, const ChoiceInput& input)
      : snapshot_(snapshot),
        learned_(learned),
        input_(input),
        outlook_(snapshot, input.cost, input.horizon.fading.spread, input.may_split),
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
    for (const Selection& candidate : input_.candidates) {
      const Character character = learned_.character(candidate);
      if (candidate.acts_at_every_point())
        choice_.rows.push_back(expect_stepwise(candidate, character));
      else
        add_total(choice_.rows.emplace_back(outlook_.expect(candidate, character)), candidate);
    }
  }

  Prediction expect_stepwise(const Selection& candidate, const Character& character) const {
    Prediction row = outlook_.expect_stepwise(candidate, character, input_.horizon);
    row.strategy = row_name(candidate);
    row.decision_s += input_.horizon.intervals * learned_.decision_seconds(candidate, snapshot_);
    row.total_s += row.decision_s;
    return row;
  }

  void work_out_cheapest() {
    std::vector<std::size_t> rows;
    for (std::size_t k = 0; k < input_.candidates.size(); ++k)
      if (!input_.candidates[k].acts_at_every_point()) rows.push_back(kFirstCandidate + k);
    const auto decision_s = [this](std::size_t row) { return choice_.rows[row].decision_s; };
    std::ranges::stable_sort(rows, {}, decision_s);
    double left_s = std::min(input_.to_spend_s, outlook_.most_gain_s(input_.horizon));
    for (const std::size_t row : rows) {
      left_s -= decision_s(row);
      if (left_s <= 0) return;
      work_out(row);
    }
  }

  void work_out(std::size_t row) {
    const Selection& candidate = candidate_of(row);
    if (!why_unavailable(*candidate.info).empty()) {
      choice_.rows[row].total_s = std::numeric_limits<double>::infinity();
      return;
    }
    const double start = now();
    Decision& decision = decisions_[row - kFirstCandidate];
    if (input_.may_split || !candidate.info->decide)
      decision = candidate.decide(snapshot_, input_.seed);
    else
      decision.pe_of = candidate.assign(snapshot_, input_.seed);
    const double seconds =
        input_.decision_seconds ? input_.decision_seconds(candidate.info->name, snapshot_) : now() - start;
    Character character = outlook_.character_of(candidate, decision);
    // The first step shows the messages between parted objects, but not the imbalance at the end.
    if (candidate.acts_at_every_point()) {
      const double added_s = outlook_.added_messages_s(decision);
      choice_.rows[row].step_s += added_s;
      choice_.rows[row].total_s += input_.horizon.intervals * added_s;
      choice_.rows[row].worked_out = true;
      choice_.trials.push_back({row_name(candidate), seconds, character});
      return;
    }
    choice_.rows[row] = outlook_.evaluate(decision);
    add_total(choice_.rows[row], candidate);
    const double step_s = choice_.rows[row].step_s;
    if (best_step_s_) character.behind_best = step_s / *best_step_s_ - 1;
    choice_.trials.push_back({row_name(candidate), seconds, character});
    best_step_s_ = std::min(step_s, best_step_s_.value_or(step_s));
    compare_with_best();
  }

  /// Predicts the other rows anew by the best one that was worked out, which shows what the snapshot allows
  /// those that move whole objects.
  void compare_with_best() {
    for (std::size_t row = kFirstCandidate; row < choice_.rows.size(); ++row) {
      Prediction& other = choice_.rows[row];
      const Selection& candidate = candidate_of(row);
      if (other.worked_out || candidate.acts_at_every_point() || outlook_.divides(candidate)) continue;
      const auto behind = learned_.character(candidate).behind_best;
      if (!behind) continue;
      other.step_s = *best_step_s_ * (1 + *behind);
      other.total_s = total_seconds(other, outlook_.present_s(), input_.horizon);
    }
  }

  void add_total(Prediction& row, const Selection& candidate) const {
    row.strategy = row_name(candidate);
    row.decision_s = learned_.decision_seconds(candidate, snapshot_) + loading_seconds(*candidate.info);
    row.total_s = total_seconds(row, outlook_.present_s(), input_.horizon);
  }

  double loading_seconds(const StrategyInfo& info) const {
    const std::uint32_t library = info.traits & kLibraries;
    const auto shows_it_loaded = [&](const Selection& other) {
      return (other.info->traits & library) && learned_.knows(row_name(other));
    };
    return library == 0 || std::ranges::any_of(input_.candidates, shows_it_loaded) ? 0 : kLoadingSeconds;
  }

  /// Returns the row with the least total that is still to be paid. The decision of a row that was worked out
  /// has been paid, unless the strategy decides again at every step. Of equal rows the first one is returned,
  /// so `none` if nothing is gained.
  std::size_t least_to_pay() const {
    const auto to_pay = [this](const Prediction& row) {
      const auto place = static_cast<std::size_t>(&row - choice_.rows.data());
      if (place < kFirstCandidate || candidate_of(place).acts_at_every_point()) return row.total_s;
      if (row.worked_out) return row.total_s - row.decision_s;
      return row.decision_s > input_.most_decision_s ? std::numeric_limits<double>::infinity() : row.total_s;
    };
    return static_cast<std::size_t>(std::ranges::min_element(choice_.rows, {}, to_pay) -
                                    choice_.rows.begin());
  }

  Choice finish(std::size_t best) {
    choice_.chosen = best;
    choice_.worked_out.resize(choice_.rows.size());
    for (std::size_t k = 0; k < decisions_.size(); ++k)
      if (decisions_[k].splits.empty() && !input_.candidates[k].acts_at_every_point())
        choice_.worked_out[kFirstCandidate + k] = decisions_[k].pe_of;
    Decision decision{snapshot_.objects.pe, {}, snapshot_.pes.cells};
    if (best >= kFirstCandidate) decision = std::move(decisions_[best - kFirstCandidate]);
    choice_.assignment = std::move(decision.pe_of);
    choice_.splits = std::move(decision.splits);
    choice_.cells = std::move(decision.cells);
    return std::move(choice_);
  }

  const Selection& candidate_of(std::size_t row) const { return input_.candidates[row - kFirstCandidate]; }

  double now() const { return input_.clock ? input_.clock() : 0; }

  const Snapshot& snapshot_;
  const Learned& learned_;
  const ChoiceInput& input_;
  Outlook outlook_;
  std::vector<Decision> decisions_;    // of the candidates that were worked out
  std::optional<double> best_step_s_;  // the shortest next interval among those
  Choice choice_;
};

/// The time per element and step of a strategy that acts at every step: it looks at each object once.
constexpr double kUnknownStep = 1e-7;
/// The weight of new figures: they change during a run.
constexpr double kNew = 0.5;
/// The largest correction by one movement, which alone tells little of the machine: a PE may have been late.
constexpr double kMostCorrection = 2;

double elements(const Snapshot& snapshot) {
  return static_cast<double>(snapshot.object_count() + snapshot.pe_count() + snapshot.graph.edge_count());
}

double mix(double old, double now) { return old + kNew * (now - old); }

double usual_element_s(std::string_view strategy) {
  return usual_element_ns(strategy).value_or(kUnknownElementNs) * 1e-9;
}

std::optional<double> mix(const std::optional<double>& old, const std::optional<double>& now) {
  return old && now ? mix(*old, *now) : now ? now : old;
}

}  // namespace

std::optional<AutoOptions> parse_auto(std::string_view text) {
  static constexpr Key keys[] = {
      real_key(
          "horizon", "0", 0, 1e9,
          "LB intervals over which a choice counts; 0: as many as have passed since the first sync point"),
  };
  constexpr std::string_view name = "auto";
  if (!text.starts_with(name)) return std::nullopt;
  text.remove_prefix(name.size());
  if (!text.empty() && text[0] != ':') return std::nullopt;
  const Options options = parse_keys("strategy 'auto'", keys, text);
  return AutoOptions{options.real("horizon")};
}

void check_choice(std::string_view text) {
  try {
    if (parse_auto(text)) return;
    const Selection selection = parse_strategy(text);
    if (const std::string_view key = selection.missing_key(); !key.empty())
      throw StrategyError("strategy '" + std::string(selection.info->name) + "' needs a value of its key '" +
                          std::string(key) + "'");
  } catch (const UnknownStrategy& error) {
    throw UnknownStrategy(std::string(error.what()) + ", auto");
  }
}

std::vector<Selection> candidates_for(const Snapshot& snapshot) {
  std::vector<Selection> candidates;
  for (const StrategyInfo& info : strategies()) {
    if (!(info.traits & for_auto)) continue;
    if ((info.traits & needs_graph) && snapshot.graph.empty()) continue;
    if ((info.traits & needs_positions) && snapshot.objects.position.empty()) continue;
    if (!was_built(info)) continue;
    Selection selection = with_defaults(info);
    // The model decides when to balance: strategies with a threshold act at any imbalance.
    if (selection.options.declares(kTriggerKey, KeyType::real)) selection.options.set(kTriggerKey, 1);
    // Levels run one after another, each for as long as its fullest PE takes.
    selection.by_level = !snapshot.objects.level.empty();
    if (selection.missing_key().empty()) candidates.push_back(std::move(selection));
  }
  return candidates;
}

std::vector<Selection> stepwise_candidates_for(const Snapshot& snapshot) {
  std::vector<Selection> stepwise;
  if (!snapshot.objects.level.empty()) return stepwise;  // forecast_diffusion() does not know levels
  std::string keys = ":";
  keys.append(kEveryStepKey);
  for (const Selection& candidate : candidates_for(snapshot)) {
    const StrategyInfo& info = *candidate.info;
    if (!candidate.options.declares(kEveryStepKey, KeyType::choice)) continue;
    if ((info.traits & needs_positions) && snapshot.graph.empty()) continue;
    stepwise.push_back({&info, parse_keys(info.name, info.keys, keys)});
  }
  return stepwise;
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

void Learned::learn(const Snapshot& snapshot, const Trial& trial) {
  Character now = trial.character;
  now.element_s = trial.decision_s / elements(snapshot);
  const auto [place, first] = characters_.try_emplace(trial.strategy, now);
  if (first) return;
  Character& known = place->second;
  known = {mix(known.element_s, now.element_s),
           mix(known.left, now.left),
           mix(known.churn, now.churn),
           mix(known.scatter, now.scatter),
           mix(known.crowding, now.crowding),
           mix(known.behind_best, now.behind_best),
           mix(known.pace, now.pace)};
}

std::string row_name(const Selection& strategy) {
  std::string name(strategy.info->name);
  if (strategy.by_level) name.append(":by_level=1");
  if (strategy.acts_at_every_point()) name.append(":").append(kEveryStepKey);
  return name;
}

Character Learned::character(const Selection& strategy) const {
  const auto place = characters_.find(row_name(strategy));
  if (place != characters_.end()) return place->second;
  Character ideal;
  ideal.crowding = 0;
  if (strategy.acts_at_every_point()) {
    ideal.element_s = kUnknownStep;
    return ideal;
  }
  if (strategy.info->traits & afresh) ideal.churn = ideal.crowding = 1;
  ideal.element_s = usual_element_s(strategy.info->name) * slowness();
  return ideal;
}

double Learned::slowness() const {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [name, known] : characters_) {
    const std::string_view row = name;
    if (known.element_s > 0 && row.find(kEveryStepKey) == row.npos)
      least = std::min(least, known.element_s / usual_element_s(row.substr(0, row.find(':'))));
  }
  return std::isfinite(least) ? least : 1;
}

double Learned::decision_seconds(const Selection& strategy, const Snapshot& snapshot) const {
  return character(strategy).element_s * elements(snapshot);
}

void correct_movement(CostModel& cost, double predicted_s, double seen_s) {
  if (predicted_s <= 0 || seen_s <= 0) return;
  const double factor = std::clamp(seen_s / predicted_s, 1 / kMostCorrection, kMostCorrection);
  cost.object_s *= factor;
  cost.byte_s *= factor;
}

void correct_meeting(CostModel& cost, double look_s, std::span<const Trial> trials) {
  for (const Trial& trial : trials) look_s -= trial.decision_s;
  const double seen_s = std::max(0.0, look_s);
  cost.meeting_s = cost.meeting_s > 0 ? mix(cost.meeting_s, seen_s) : seen_s;
}

double Horizon::effective() const {
  const double known = knows_next ? std::min(1.0, intervals) : 0, others = intervals - known;
  const double factor = fading.persistence;
  const double sum = factor >= 1 ? others : factor * (1 - std::pow(factor, others)) / (1 - factor);
  return known + fading.real * sum;
}

double total_seconds(const Prediction& row, double present_s, const Horizon& horizon) {
  return row.decision_s + row.movement_s + horizon.intervals * present_s -
         horizon.effective() * (present_s - row.step_s);
}

}  // namespace skein::lb
