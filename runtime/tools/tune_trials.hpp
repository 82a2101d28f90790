// SPDX-License-Identifier: Apache-2.0
// The trials of a tuning: simulations of recorded runs of one job.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/tools/grid.hpp"
#include "runtime/tools/stage.hpp"
#include "skein/lb/tune.hpp"

namespace skein::tools {

/// The options, checked as far as possible without a file. Empty lists: the traces and the platform decide.
struct TuneOptions : Stage {
  std::vector<std::string> operands;  ///< traces of the same job
  std::vector<std::string> strategies;
  std::vector<std::uint64_t> periods;
  std::vector<std::uint32_t> pes;
  std::vector<lb::Mode> modes;
  bool several_deciding = false;  ///< also tries them with other numbers of deciding PEs
  Grid grid;                      ///< of the recorded ranks; empty: not given
  std::vector<Grid> to;           ///< coarser grids to try, too
  Grid cells;                     ///< of the program's grid; empty: they divide
  std::size_t seeds = 1;
  bool whole = false;    ///< give up no trial
  double budget_s = 0;   ///< 0: no limit
  std::size_t jobs = 0;  ///< 0: one for each core
  bool json = false;
  std::string output;  ///< empty: standard output
};

class TuneTrials {
 public:
  /// Reads the traces. Throws if they are not of one job.
  explicit TuneTrials(const TuneOptions& options);

  const trace::Trace& trace() const { return runs_.front().trace; }  ///< the first run, as recorded
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(trace().movable_count()); }
  const simulate::Platform& platform() const { return platform_; }
  std::size_t samples() const { return runs_.size() * options_.seeds; }
  std::vector<std::string> remarks() const;         ///< on what is left out of the runs
  std::uint64_t points() const { return points_; }  ///< sync points in all runs
  std::uint64_t told_points() const { return runs_.front().told_points; }  ///< with that at which a part ends
  /// Returns the space of trials: from the options or, if they say nothing, the traces and the platform.
  tune::Space space() const;

  /// Prepares what these trials need to be given up early; called before the first of them.
  void prepare(std::span<const tune::Trial> trials);
  /// Makes a trial in a process of its own. Returns the outcome as JSON.
  std::string make(const tune::Trial& trial) const;
  static tune::Outcome outcome_of(const std::string& json);

  /// The best result of a strategy that knew the best times of its steps.
  struct BestPossible {
    tune::Configuration configuration;  ///< its period is unused
    std::vector<std::uint64_t> steps;   ///< sync points
    double seconds;                     ///< with these
    double automatic_s;                 ///< seconds with an automatic period
  };
  /// Computes the best result with the strategy and PEs of the fastest balanced, inline trial of the first
  /// run. Returns nothing if there is none, or its strategy uses messages, or the run is native or too long.
  std::optional<BestPossible> best_possible(const tune::Result& result) const;

 private:
  struct Key {
    std::size_t run;
    std::uint32_t ranks;
    auto operator<=>(const Key&) const = default;
  };
  Key key_of(const tune::Trial& trial) const {
    return {trial.sample / options_.seeds, trial.configuration.ranks};
  }
  const trace::Trace& played(const Key& key) const;
  void coarsen_all();
  double seconds_of(const simulate::Policy& policy, std::uint32_t pes) const;

  const TuneOptions& options_;
  simulate::Platform platform_;
  simulate::Policy policy_;      // common to all trials
  std::vector<PlayedRun> runs_;  // as recorded
  std::map<Key, trace::Trace> coarser_;
  std::map<Key, simulate::Remaining> remaining_;
  std::uint64_t points_ = 0;
};

}  // namespace skein::tools
