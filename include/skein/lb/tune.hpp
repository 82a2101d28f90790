// SPDX-License-Identifier: Apache-2.0
// Tuning: finds by trials with which strategy, period, mode, number of ranks and number of PEs a job runs
// fastest. The caller defines a trial, mostly as a simulation; this module chooses and judges them.
//
// Every configuration is tried on the whole job. If there are many, they are tried in a few parts, and a
// trial of a later part may be given up as soon as it is sure to take longer than the eighth best of the
// earlier ones on as many PEs: so none of the best eight of any number of PEs is lost.
//
// Pure: no clock and no threads; only the outcomes of trials decide. Callable from any thread.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "skein/lb/mode.hpp"

namespace skein::tune {

struct Configuration {
  std::string strategy = "none";  // as --lb takes it
  std::uint64_t period = 1;       // sync points; 0: automatic; 1 for strategies that balance nothing
  std::uint32_t ranks = 1;
  std::uint32_t pes = 1;
  std::string mode = "inline";  // as lb::to_string() writes it; inline for strategies that balance nothing
  auto operator<=>(const Configuration&) const = default;
};

struct Space {
  std::vector<std::string> strategies;
  std::vector<std::uint64_t> periods;
  std::vector<std::uint32_t> ranks;
  std::vector<std::uint32_t> pes;
  std::vector<lb::Mode> modes = {lb::Mode{}};
  /// By strategy: the most PEs that may decide together by it. In each mode 2, 4, 8, ... PEs are tried beside
  /// the number that the mode names, up to a quarter of all. Without an entry: no others.
  std::map<std::string, std::uint32_t> most_deciding = {};
};

/// Reports that nothing can be tried; the text says why.
struct TuneError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Returns all combinations, those without balancing first, each once. Left out are those with fewer ranks
/// than PEs, periods and modes of `none`, strategies on one PE or with one rank on each PE (nothing can
/// move), modes that leave at most one PE to compute, and lazy modes with an automatic period. Throws
/// TuneError if nothing remains.
std::vector<Configuration> configurations(const Space& space);

/// A trial: a configuration on a sample. Samples are recorded runs of the same job, or the same run with
/// noise from other seeds.
struct Trial {
  Configuration configuration;
  std::size_t sample = 0;
  double limit_s = 0;  // the trial may be given up once it is sure to take longer; 0: never
};

struct Outcome {
  bool done = false;              // false: given up by the user or for the budget
  std::uint64_t given_up_at = 0;  // the sync point of giving up; 0: it was tried to the end
  double seconds = 0;             // until the end, or until it was given up
  double imbalance_percent = 0;
  std::uint64_t steps = 0;
  std::uint64_t moved = 0;
  std::uint64_t early_steps = 0;  // steps that elements had not reached yet (simulate::StepRecord::behind)
  std::string why_not = {};       // why this cannot be simulated: the strategy lacks its data
};

/// Trials that may be made in any order or at once. `before` and `share` are fractions of all work, as far as
/// known.
struct Batch {
  std::span<const Trial> trials;
  double before = 0;
  double share = 1;
};

/// Returns one outcome for each trial. Once an outcome is not done, nothing more is tried.
using Evaluate = std::function<std::vector<Outcome>(const Batch& batch)>;

struct Options {
  std::size_t samples = 1;
  bool may_give_up = true;  // if there is one sample: of several the mean counts
  std::size_t whole = 24;   // all configurations are tried to the end unless there are twice as many
  std::size_t best = 8;     // this many for each number of PEs are tried to the end in any case
  double margin = 0.03;     // relative; smaller differences are within the model's own error
  /// A configuration slower by at most this is preferred if it takes fewer PEs or no balancing.
  double indifference = 0.01;
};

struct Row {
  Configuration configuration;
  std::uint64_t points = 0;          // the sync point of giving up; 0: tried to the end
  std::vector<double> seconds = {};  // by sample
  double mean_s = 0;
  double half_width_s = 0;  // of the 95 % interval of the mean by Student's t; 0 with one sample
  double imbalance_percent = 0;
  double steps = 0, moved = 0;    // means
  std::uint64_t early_steps = 0;  // sum of Outcome::early_steps
  std::string why_not = {};
  bool on_frontier = false;
  /// True if the row cannot be told from the fastest one: it is within Options::margin of it, or the 95 %
  /// interval of the paired differences contains zero.
  bool as_good = false;
};

struct Result {
  /// First the configurations tried to the end, by time; then those given up; then those that cannot be
  /// simulated and those not tried.
  std::vector<Row> rows;
  /// Indices of `rows`, by PEs: for each, no configuration with as few PEs is faster.
  std::vector<std::size_t> frontier;
  std::optional<std::size_t> fastest, advised;
  std::size_t whole = 0, given_up = 0;  // rows
  std::size_t trials = 0;
  /// False if tuning was given up before the end: `fastest` and the frontier then follow from what was tried.
  bool complete = true;
};

/// Tries the configurations, which must be in the order of configurations(), and ranks them.
Result explore(std::span<const Configuration> tried, const Options& options, const Evaluate& evaluate);

/// Returns half of the 95 % interval of the mean of `values` values with this sample standard deviation.
double half_width_95(double standard_deviation, std::size_t values);

}  // namespace skein::tune
