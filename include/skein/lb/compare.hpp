// SPDX-License-Identifier: Apache-2.0
// Strategies side by side on one snapshot: what each gives and what it costs.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "skein/lb/cost.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/model.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::lb {

/// What a decision is worth, whoever made it. Times in seconds.
struct Merit {
  double imbalance = 0;  // percent
  /// Moments of the PEs' finish times.
  double standard_deviation_s = 0, skewness = 0, kurtosis = 0;
  Movement movement;         // from the snapshot's placement
  std::size_t idle_pes = 0;  // without load or background
  double levels_s = 0;       // of each level the largest finish time, one after another; 0 without levels
  std::size_t parts = 0;     // that are split off objects; they send and receive where the rest of theirs is
  Communication traffic;     // all zero without a graph
  Connectivity joined;       // all zero without hyperedges
  double movement_s = 0;     // predicted time of the moves
  double step_s = 0;         // predicted time of an interval like the measured one
};
Merit merit_of(const Snapshot& snapshot, const Decision& decision, const CostModel& cost);

/// In its place in "all": a strategy that this build lacks.
struct Unavailable {
  std::string why;  // why_unavailable()
};

struct Candidate {
  std::string text;  // as the user wrote it
  /// AutoOptions: the model chooses, as at the first step of a run.
  std::variant<Selection, AutoOptions, Unavailable> decides;
};

struct ComparisonRow {
  std::string strategy;            // Candidate::text
  std::string chosen;              // by the model, where that was the candidate
  std::optional<std::string> why;  // why it cannot be used here; then the rest has no meaning
  Merit merit;
  double decision_s = 0;  // of the fastest of the repetitions
  double total_s = 0;     // deciding and moving once, then `steps` intervals on the new placement
};

struct CompareInput {
  CostModel cost;
  double steps = 100;  // the horizon, in intervals like the measured one
  std::uint64_t seed = 1;
  int repetitions = 1;          // decisions are timed so often
  double (*clock)() = nullptr;  // seconds; null: decisions take no time
};

/// Strategies that split objects split those that Objects::splittable names. One row for each candidate,
/// those that can be used first, by their total; equal ones in their order. The snapshot must be valid.
std::vector<ComparisonRow> compare(const Snapshot& snapshot, std::span<const Candidate> candidates,
                                   const CompareInput& input);

/// "all", which auto is one of and those that this build lacks, or names with their keys separated by commas:
/// greedy,refine:tolerance=1.02,hierarchical:node=refine,pe=rcb Throws StrategyError; so for one that is
/// named and unavailable.
std::vector<Candidate> parse_candidates(std::string_view text);

/// Puts the objects on another number of equal PEs: those of one PE stay together as far as can be, since the
/// objects in the order of their PEs are cut into pieces of equal number, as a job that starts there would
/// have them. The same number of PEs changes nothing.
Snapshot with_pes(Snapshot snapshot, std::size_t pes);

}  // namespace skein::lb
