// SPDX-License-Identifier: Apache-2.0
// Decides whether to balance, and with which strategy: a cost model compares strategies before it pays for
// them.
//
// After O. Pearce, T. Gamblin, B. R. de Supinski, M. Schulz, N. M. Amato, "Quantifying the effectiveness of
// load balance algorithms", ICS 2012: the cost of a choice is the time to decide, to move, and to run the
// application on the result, and the least cost wins. Their three choices (none, a global algorithm, a
// diffusive one at every step) became all strategies of the table; communication and the rate at which
// imbalance returns were added to loads. Strategies that act at every step (kEveryStepKey) are weighed by
// equation 10, whose loads Algorithm 2 gives: they make a step at this LB step and at each later one.
//
// Working a strategy out costs as much as its decision, so only those that promise to win are worked out:
//   1. each candidate is predicted from what the run has learned of its character (Character), diffusion by
//      spreading the loads over the graph of PEs;
//   2. the candidate with the least predicted total is worked out, and its result replaces its prediction. If
//      the result shows that the snapshot does not allow the ideal, the other candidates share that: each is
//      predicted to be as far from the best so far as it was when it was seen;
//   3. this repeats until the least total is one that was worked out, or `none`. The decision of a strategy
//      that was worked out has been paid for and no longer counts against it.
// A strategy that was never seen is predicted to be perfect, so it is tried once there is enough to gain.
//
// Everything is deterministic: equal snapshots, costs, knowledge and seeds give equal choices. Processes that
// choose on the same snapshot must learn from the same numbers: reduce measured times over them first.
#pragma once
#include <functional>
#include <limits>
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

/// The keys of `--lb auto[:key=value,...]`.
struct AutoOptions {
  double horizon = 0;  // LB intervals over which a choice counts; 0: as many as have passed
};

/// Returns nothing if `text` does not name auto. Throws StrategyError for a wrong key or value.
std::optional<AutoOptions> parse_auto(std::string_view text);

/// Checks a choice before it is used: auto, or a strategy in the form of parse_strategy() with a value for
/// each key that has no default. Throws StrategyError (also for a library that cannot be loaded).
void check_choice(std::string_view text);

/// What is known of a strategy: how far it is from the ideal one, which moves only the surplus, leaves no
/// imbalance except that of the largest object, and keeps neighbours together.
struct Character {
  double element_s = 0;  // decision time per object, PE and edge
  double left = 0;       // largest finish time after it, relative to the least possible one, minus 1
  double churn = 0;      // the part of the load that moves without need
  double scatter =
      0;  // 1: moved objects have no more partners on their PE than by chance; 0: no fewer than before
  double crowding = 1;  // movement of the busiest PE, relative to the one that the above gives if every PE
                        // has as many and as large objects per load; 0: unknown, taken to be least
  /// The next interval after this strategy, relative to the shortest after the strategies that were worked
  /// out before it on the same snapshot, minus 1; nothing if it was always the first.
  std::optional<double> behind_best = {};
  double pace = 1;  // of a strategy that acts at every step: the part of a step's expected gain that was had
};

/// The result of working a strategy out once.
struct Trial {
  std::string strategy;
  double decision_s = 0;  // by the clock of this process; reduce over processes before learn()
  Character character;    // element_s is filled in by learn()
};

/// The characters of strategies, as far as the run has shown them.
class Learned {
 public:
  /// Takes in a trial on `snapshot`. Later trials weigh more.
  void learn(const Snapshot& snapshot, const Trial& trial);
  bool knows(std::string_view strategy) const { return characters_.contains(strategy); }
  /// Returns the strategy's character. An unknown strategy is taken to be ideal, at its usual cost per
  /// element times slowness(); but with the trait `afresh` it moves everything, and if it acts at every step,
  /// a step costs little.
  Character character(const Selection& strategy) const;
  double decision_seconds(const Selection& strategy, const Snapshot& snapshot) const;

 private:
  /// Returns the least ratio of a known strategy's decision time to its usual one; 1 if none is known. Small
  /// snapshots lengthen single ratios.
  double slowness() const;

  std::map<std::string, Character, std::less<>> characters_;
};

/// Corrects the movement terms of `cost`, which predicted `predicted_s` for a movement that took `seen_s`.
void correct_movement(CostModel& cost, double predicted_s, double seen_s);

/// Learns CostModel::meeting_s from a step that took `look_s` until its first move. Leaves out the decisions
/// that were tried in the step: these are costs of their strategies.
void correct_meeting(CostModel& cost, double look_s, std::span<const Trial> trials);

/// The time for which a choice counts.
struct Horizon {
  double intervals = 1;  // of the length of the measured one, at least 0
  Drift::Fading fading = {};
  /// The loads are those of the next interval, not of the last one, so that it has the whole gain.
  bool knows_next = false;

  /// Returns the number of intervals that a gain is worth: the sum of real * persistence^k over k = 1, 2,
  /// ..., one interval later if the next one is known.
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

/// Returns the total of a choice after which an interval takes row.step_s instead of `present_s`.
double total_seconds(const Prediction& row, double present_s, const Horizon& horizon);

struct Choice {
  std::vector<Prediction> rows;  // `none`, then the candidates in their order
  std::size_t chosen = 0;        // row
  Assignment assignment;         // the present one if no candidate was chosen
  std::vector<Split> splits;     // none unless ChoiceInput::may_split
  std::vector<Cell> cells;       // Decision::cells
  std::vector<Trial> trials;     // of the strategies that were worked out, for Learned
  /// By row: the assignment, if the row was worked out, splits nothing and is not the first step of several;
  /// else empty.
  std::vector<Assignment> worked_out;

  const Prediction& row() const { return rows[chosen]; }
  /// Returns the gain over `none`, without the time to work out other strategies.
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

/// Returns the time that a strategy takes to decide on a snapshot, where time is simulated.
using DecisionSeconds = std::function<double(std::string_view strategy, const Snapshot& snapshot)>;

struct ChoiceInput {
  std::span<const Selection> candidates;
  CostModel cost;
  Horizon horizon;
  std::uint64_t seed = 1;
  double (*clock)() = nullptr;            // seconds; measures trials, decides nothing. Null: trials take 0
  DecisionSeconds decision_seconds = {};  // if given, used instead of the clock
  bool may_split = false;                 // the caller can split the objects that Objects::splittable names
  /// Seconds that may be spent on decisions whether they promise anything or not: strategies are worked out
  /// from the cheapest on until they are used up.
  double to_spend_s = 0;
  /// No decision is worked out that is thought to take longer.
  double most_decision_s = std::numeric_limits<double>::infinity();
};

/// Returns what rows and trials call the strategy: its name, with a key if it goes level by level and with
/// one if it acts at every step.
std::string row_name(const Selection& strategy);

/// Chooses a strategy, or none. The snapshot must be valid and have an object.
Choice choose(const Snapshot& snapshot, const Learned& learned, const ChoiceInput& input);

/// Returns the table as lines of text, the best first, with the chosen row marked.
std::string describe(const Choice& choice);

}  // namespace skein::lb
