// SPDX-License-Identifier: Apache-2.0
// Tuning: which strategy, period, mode, number of ranks and number of PEs a job runs fastest with, found by
// trying.
// What a try is, a simulation as a rule, is the caller's: this chooses what to try and judges what came out.
//
// Few configurations are all tried on the whole job. Of many, successive halving (K. Jamieson, A. Talwalkar,
// "Non-stochastic Best Arm Identification and Hyperparameter Optimization", AISTATS 2016) tries all on a
// short beginning of the job, the better part of them on a longer one, and the best on the whole. A beginning
// says nothing about what comes later, so a job whose imbalance begins late wants the whole (Options::whole).
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
  // By strategy: up to how many PEs may decide together by it, in each of these modes beside the PEs that it
  // names: 2, 4, 8 and so on, up to a quarter of all. A strategy that is not here: no others.
  std::map<std::string, std::uint32_t> most_deciding = {};
};

// Nothing can be tried; the text says why.
struct TuneError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// All combinations, those without balancing first, each once: what has fewer ranks than PEs is left out, as
// are periods and modes of `none`, strategies on one PE or with one rank on each, where nothing can move,
// modes that leave one PE or none to compute, and lazy ones with an automatic period. Throws TuneError if
// nothing remains.
std::vector<Configuration> configurations(const Space& space);

// To be tried: a configuration on the beginning of a sample. Samples are recorded runs of the same job, or
// the same run with noise from other seeds.
struct Trial {
  Configuration configuration;
  std::size_t sample = 0;
  std::uint64_t points = 0;  // up to this sync point; 0: to the end
};

struct Outcome {
  bool done = false;  // false: given up, since the user or the budget said so
  double seconds = 0;
  double imbalance_percent = 0;
  std::uint64_t steps = 0;
  std::uint64_t moved = 0;
  std::uint64_t early_steps = 0;  // at which elements had not come (simulate::StepRecord::behind)
  std::string why_not = {};       // of what cannot be simulated: a strategy that lacks its data
};

// Trials that may be made in any order, at once. `before` and `share` are parts of all work, as far as is
// known.
struct Batch {
  std::span<const Trial> trials;
  double before = 0;
  double share = 1;
};

// One outcome for each trial. Once one is not done, nothing more is tried.
using Evaluate = std::function<std::vector<Outcome>(const Batch& batch)>;

struct Options {
  std::size_t samples = 1;
  std::uint64_t points = 0;     // sync points of the job; 0: beginnings cannot be tried
  std::size_t whole = 48;       // up to so many configurations go the whole way
  std::size_t keep_one_in = 3;  // of those that a beginning can judge; at least 2
  std::size_t intervals = 3;    // a beginning judges periods of which it has so many
  double kept = 0.01;           // nor is one dropped that is slower by less than that; but half of them are
  double margin = 0.03;         // what differs less, relatively, cannot be told apart: the model's own error
  double indifference =
      0.01;  // what is no slower than that is as good, if it takes fewer PEs or no balancing
};

struct Row {
  Configuration configuration;
  std::uint64_t points = 0;          // what it was last tried on; 0: to the end
  std::vector<double> seconds = {};  // by sample
  double mean_s = 0;
  double half_width_s = 0;  // of the 95 % interval of the mean by Student's t; 0 with one sample
  double imbalance_percent = 0;
  double steps = 0, moved = 0;    // means
  std::uint64_t early_steps = 0;  // in all: Outcome::early_steps
  std::string why_not = {};
  bool on_frontier = false;
  // Cannot be told from the fastest one: within Options::margin of it, or the 95 % interval of the paired
  // differences holds zero.
  bool as_good = false;
};

// A beginning on which configurations were tried.
struct Rung {
  std::uint64_t points = 0;  // 0: the whole
  std::size_t tried = 0;
  std::size_t kept = 0;
};

struct Result {
  // What went the whole way by time; then what was dropped, last dropped first, by time; then what cannot be
  // simulated.
  std::vector<Row> rows;
  // Of `rows`, by PEs: no configuration with as few PEs is as fast.
  std::vector<std::size_t> frontier;
  std::optional<std::size_t> fastest, advised;
  std::vector<Rung> rungs;
  std::size_t trials = 0;
  // False: given up before the end. `fastest` and the frontier are then of what was tried on the longest
  // beginning.
  bool complete = true;
};

// `tried`: as configurations() gives them. In each number of PEs the better ones are kept: a frontier needs
// all.
Result explore(std::span<const Configuration> tried, const Options& options, const Evaluate& evaluate);

// Half of the 95 % interval of the mean of so many values with this standard deviation (of the sample).
double half_width_95(double standard_deviation, std::size_t values);

}  // namespace skein::tune
