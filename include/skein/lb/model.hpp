// SPDX-License-Identifier: Apache-2.0
// Whether to balance, and with which strategy: a cost model that compares strategies before it pays for them.
//
// After O. Pearce, T. Gamblin, B. R. de Supinski, M. Schulz, N. M. Amato, "Quantifying the effectiveness of
// load balance algorithms", ICS 2012: what a choice costs is deciding + moving + running the application with
// what comes of it, and the least wins. Three choices (none, a global algorithm, a diffusive one at every
// step) became all strategies of the table; to loads were added communication and the rate at which imbalance
// returns. Strategies that act at every step (kEveryStepKey) are weighed by equation 10, whose loads
// Algorithm 2 gives: a step of them at this LB step and at each that comes.
//
// Working a strategy out costs as much as its decision, so that only what promises to win is worked out:
//   1. each candidate is predicted from what the run has learned of its character (Character), diffusion by
//      spreading the loads over the graph of PEs;
//   2. the one with the least predicted total is worked out, and its prediction replaced by what it gives; of
//      the others what that shows of the snapshot: that the ideal cannot be had, they share with it, so each
//      is predicted to be as far from the best so far as it was when it was seen;
//   3. until the least total is one that was worked out, or `none`. What was worked out has been paid for, so
//      that its decision no longer counts against it.
// A strategy that was never seen is predicted to be perfect, and so gets its chance as soon as there is
// enough to gain.
//
// Everything is deterministic: same snapshot, costs, knowledge and seed, same choice. Where several processes
// choose on the same snapshot, they must learn from the same numbers: measured times are to be reduced over
// them first.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skein/lb/cost.hpp"
#include "skein/lb/drift.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::lb {

/// What `--lb auto[:key=value,...]` means.
struct AutoOptions {
  double horizon = 0;  // LB intervals over which a choice counts; 0: as many as the run has lasted
};

/// Nothing if `text` does not name auto; throws StrategyError for a wrong key or value.
std::optional<AutoOptions> parse_auto(std::string_view text);

/// For what can be chosen, before it is: auto, or a strategy as parse_strategy() takes it, which gives each
/// key that has no default a value. Throws StrategyError (also if it is a library that cannot be loaded).
void check_choice(std::string_view text);

/// What is known of a strategy. A strategy is described by how far it is from the ideal one, which moves only
/// what is too much, leaves no imbalance but what the largest object causes, and keeps neighbours together.
struct Character {
  double element_s = 0;  // decision time per object, PE and edge
  double left = 0;       // largest finish time after it, relative to the least possible one, minus 1
  double churn = 0;      // the part of the load that need not move, but does
  double scatter = 0;  // 1: what moves has no more partners on its PE than by chance; 0: no fewer than before
  double crowding = 1;  // movement of the busiest PE, relative to what follows from the above were objects
                        /// as many and as large per load everywhere; 0: not known, and as little as possible
  /// The next interval after it, relative to the shortest after what was worked out before it on the same
  /// snapshot, minus 1; nothing if it was always the first.
  std::optional<double> behind_best = {};
  double pace = 1;  // of one that acts at every step: of what a step should gain, the part that it did
};

/// What one working-out of a strategy showed.
struct Trial {
  std::string strategy;
  double decision_s = 0;  // by the clock of this process; reduce over processes before learn()
  Character character;    // element_s is filled in by learn()
};

/// What the run has taught so far.
class Learned {
 public:
  /// Takes in a trial on `snapshot`. Later trials weigh more.
  void learn(const Snapshot& snapshot, const Trial& trial);
  bool knows(std::string_view strategy) const { return characters_.contains(strategy); }
  /// What is taken of an unknown strategy: the ideal one, at the cost per element of the dearest known one;
  /// but one with the trait `afresh` moves everything, and a step of one that acts at every step costs
  /// little.
  Character character(const Selection& strategy) const;
  double decision_seconds(const Selection& strategy, const Snapshot& snapshot) const;

 private:
  std::map<std::string, Character, std::less<>> characters_;
};

/// Brings the movement terms of `cost` nearer to what a movement took that they predicted as `predicted_s`.
void correct_movement(CostModel& cost, double predicted_s, double seen_s);

/// Learns CostModel::meeting_s from a step that took `look_s` until its first move, without the decisions
/// that were tried in it: those are costs of their strategies.
void correct_meeting(CostModel& cost, double look_s, std::span<const Trial> trials);

/// For how long a choice counts.
struct Horizon {
  double intervals = 1;  // of the length of the measured one, at least 0
  Drift::Fading fading = {};

  /// In how many intervals a gain is had in full: the sum of real * persistence^k over k = 1, 2, ...
  double effective() const;
};

/// A row of the table behind a choice. Seconds.
struct Prediction {
  std::string strategy;
  double decision_s = 0;
  double movement_s = 0;  // moving, and the meeting for it
  double step_s = 0;      // the next interval, if it is like the last one
  double total_s = 0;     // over the horizon, decision and movement included
  bool worked_out = false;
};

/// The total of a choice after which an interval takes `step_s`, where it took `present_s`.
double total_seconds(const Prediction& row, double present_s, const Horizon& horizon);

struct Choice {
  std::vector<Prediction> rows;  // `none`, the candidates in their order
  std::size_t chosen = 0;        // row
  Assignment assignment;         // the present one where no candidate was chosen
  std::vector<Split> splits;     // none unless ChoiceInput::may_split
  std::vector<Cell> cells;       // Decision::cells
  std::vector<Trial> trials;     // what was worked out, for Learned
  /// By rows, where they were worked out, split nothing and are not the first step of several; else empty.
  std::vector<Assignment> worked_out;

  const Prediction& row() const { return rows[chosen]; }
  /// Against `none`, had nothing been worked out that was not chosen.
  double gain_s() const { return rows[0].total_s - row().total_s; }
};

/// Returns the strategies with the trait for_auto that have what they need on such a snapshot, level by level
/// where objects have levels. Loads no library's module; choose() does so where a strategy of one promises to
/// win, and passes over modules that cannot be loaded.
std::vector<Selection> candidates_for(const Snapshot& snapshot);
/// Returns the candidates_for() the snapshot that can act at every step, set to do so; a strategy that needs
/// positions only where a graph says which PEs are neighbours. Returns none where objects have levels. For
/// callers that choose again at each step, where load goes on flowing.
std::vector<Selection> stepwise_candidates_for(const Snapshot& snapshot);

/// What it takes a strategy to decide on a snapshot, where time is simulated.
using DecisionSeconds = std::function<double(std::string_view strategy, const Snapshot& snapshot)>;

struct ChoiceInput {
  std::span<const Selection> candidates;
  CostModel cost;
  Horizon horizon;
  std::uint64_t seed = 1;
  double (*clock)() = nullptr;            // seconds; times trials, decides nothing. Null: they take 0
  DecisionSeconds decision_seconds = {};  // if given, instead of the clock
  bool may_split = false;                 // the caller can split the objects that Objects::splittable names
  /// Seconds that may be spent on decisions whether they promise anything or not: the cheapest are worked out
  /// as far as that goes.
  double to_spend_s = 0;
};

/// Returns what rows and trials call the strategy: its name, with a key if it goes level by level and with
/// one if it acts at every step.
std::string row_name(const Selection& strategy);

/// Decides. The snapshot must be valid and have an object.
Choice choose(const Snapshot& snapshot, const Learned& learned, const ChoiceInput& input);

/// The table as lines of text, the chosen row marked, the best first.
std::string describe(const Choice& choice);

}  // namespace skein::lb
