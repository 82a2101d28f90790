// SPDX-License-Identifier: Apache-2.0
// Tuning: which strategy, period, mode, number of ranks and number of PEs a job runs fastest with, found by
// trying.
// What a try is, a simulation as a rule, is the caller's: this chooses what to try and judges what came out.
//
// All are tried on the whole job. Where there are many, they are tried in a few parts, and of the later ones
// each may be given up as soon as it is sure to take longer than the eighth best of the earlier ones on as
// many PEs: none of the best eight of any number of PEs is lost.
//
// Pure: no clock, no threads; what the trials give decides alone. Anything may be called from any thread.
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
  std::uint64_t period = 1;       // sync points, 0: automatic; 1 where nothing is balanced
  std::uint32_t ranks = 1;
  std::uint32_t pes = 1;
  std::string mode = "inline";  // as lb::to_string() has it; inline where nothing is balanced
  auto operator<=>(const Configuration&) const = default;
};

struct Space {
  std::vector<std::string> strategies;
  std::vector<std::uint64_t> periods;
  std::vector<std::uint32_t> ranks;
  std::vector<std::uint32_t> pes;
  std::vector<lb::Mode> modes = {lb::Mode{}};
  /// By strategy: up to how many PEs may decide together by it, in each of these modes beside the PEs that it
  /// names: 2, 4, 8 and so on, up to a quarter of all. A strategy that is not here: no others.
  std::map<std::string, std::uint32_t> most_deciding = {};
};

/// Nothing can be tried; the text says why.
struct TuneError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// All combinations, those without balancing first, each once: what has fewer ranks than PEs is left out, as
/// are periods and modes of `none`, strategies on one PE or with one rank on each, where nothing can move,
/// modes that leave one PE or none to compute, and lazy ones with an automatic period. Throws TuneError if
/// nothing remains.
std::vector<Configuration> configurations(const Space& space);

/// To be tried: a configuration on a sample. Samples are recorded runs of the same job, or the same run with
/// noise from other seeds.
struct Trial {
  Configuration configuration;
  std::size_t sample = 0;
  double limit_s = 0;  // it may be given up once it is sure to take longer; 0: never
};

struct Outcome {
  bool done = false;              // false: given up, since the user or the budget said so
  std::uint64_t given_up_at = 0;  // the sync point; 0: it was tried to the end
  double seconds = 0;             // until there
  double imbalance_percent = 0;
  std::uint64_t steps = 0;
  std::uint64_t moved = 0;
  std::uint64_t early_steps = 0;  // at which elements had not come (simulate::StepRecord::behind)
  std::string why_not = {};       // of what cannot be simulated: a strategy that lacks its data
};

/// Trials that may be made in any order, at once. `before` and `share` are parts of all work, as far as is
/// known.
struct Batch {
  std::span<const Trial> trials;
  double before = 0;
  double share = 1;
};

/// One outcome for each trial. Once one is not done, nothing more is tried.
using Evaluate = std::function<std::vector<Outcome>(const Batch& batch)>;

struct Options {
  std::size_t samples = 1;
  bool may_give_up = true;  // with one sample: of several the mean counts, of which one says nothing
  std::size_t whole = 24;   // where there are not twice as many configurations, all go to the end
  std::size_t best = 8;     // so many of each number of PEs do in any case
  double margin = 0.03;     // what differs less, relatively, cannot be told apart: the model's own error
  double indifference =
      0.01;  // what is no slower than that is as good, if it takes fewer PEs or no balancing
};

struct Row {
  Configuration configuration;
  std::uint64_t points = 0;          // the sync point at which it was given up; 0: it went to the end
  std::vector<double> seconds = {};  // by sample
  double mean_s = 0;
  double half_width_s = 0;  // of the 95 % interval of the mean by Student's t; 0 with one sample
  double imbalance_percent = 0;
  double steps = 0, moved = 0;    // means
  std::uint64_t early_steps = 0;  // in all: Outcome::early_steps
  std::string why_not = {};
  bool on_frontier = false;
  /// Cannot be told from the fastest one: within Options::margin of it, or the 95 % interval of the paired
  /// differences holds zero.
  bool as_good = false;
};

struct Result {
  /// What went to the end, by time; then what was given up; then what cannot be simulated, and what was not
  /// tried.
  std::vector<Row> rows;
  /// Indices of `rows`, by PEs: no configuration with as few PEs is as fast.
  std::vector<std::size_t> frontier;
  std::optional<std::size_t> fastest, advised;
  std::size_t whole = 0, given_up = 0;  // rows
  std::size_t trials = 0;
  /// False: given up before the end. `fastest` and the frontier are then of what was tried.
  bool complete = true;
};

/// `tried`: as configurations() gives them.
Result explore(std::span<const Configuration> tried, const Options& options, const Evaluate& evaluate);

/// Half of the 95 % interval of the mean of so many values with this standard deviation (of the sample).
double half_width_95(double standard_deviation, std::size_t values);

}  // namespace skein::tune
