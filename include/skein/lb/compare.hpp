// SPDX-License-Identifier: Apache-2.0
// Compares strategies on one snapshot: the result of each, and its cost.
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

/// The measures of a decision, whoever made it. Times are in seconds.
struct Merit {
  double imbalance = 0;  // percent
  /// Moments of the PEs' finish times.
  double standard_deviation_s = 0, skewness = 0, kurtosis = 0;
  Movement movement;         // from the snapshot's placement
  std::size_t idle_pes = 0;  // PEs with neither load nor background
  double levels_s = 0;       // sum over the levels of the largest finish time; 0 without levels
  std::size_t parts = 0;  // parts split off objects; a part's messages count where the rest of its object is
  Communication traffic;  // all zero without a graph
  Connectivity joined;    // all zero without hyperedges
  double away_bytes = 0;  // bytes of shared blocks on PEs that are not their home
  double movement_s = 0;  // predicted time of the moves
  double step_s = 0;      // predicted time of an interval like the measured one
};
Merit merit_of(const Snapshot& snapshot, const Decision& decision, const CostModel& cost);

/// A candidate of "all" that this build lacks.
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
  std::string chosen;              // the strategy that the model chose, if the candidate is the model
  std::optional<std::string> why;  // why the strategy cannot be used here; the fields below then mean nothing
  Merit merit;
  double decision_s = 0;  // of the fastest of the repetitions
  double total_s = 0;     // deciding and moving once, then `steps` intervals on the new placement
};

struct CompareInput {
  CostModel cost;
  double steps = 100;  // the horizon, in intervals like the measured one
  std::uint64_t seed = 1;
  int repetitions = 1;          // how often each decision is timed
  double (*clock)() = nullptr;  // seconds; null: decisions take no time
};

/// Returns one row for each candidate: first those that can be used, by rising total, equal ones in their
/// order. Strategies that split objects split those that Objects::splittable names. The snapshot must be
/// valid.
std::vector<ComparisonRow> compare(const Snapshot& snapshot, std::span<const Candidate> candidates,
                                   const CompareInput& input);

/// Parses "all", which includes auto and strategies that this build lacks, or names with their keys,
/// separated by commas: greedy,refine:tolerance=1.02,hierarchical:node=refine,pe=rcb. Throws StrategyError,
/// also if a named strategy is unavailable.
std::vector<Candidate> parse_candidates(std::string_view text);

/// Puts the objects on another number of equal PEs, as a job that starts there would: the objects, ordered by
/// PE, are cut into pieces of equal number, so that objects of one PE mostly stay together. Returns the
/// snapshot unchanged if the number of PEs is the same.
Snapshot with_pes(Snapshot snapshot, std::size_t pes);

}  // namespace skein::lb
