// SPDX-License-Identifier: Apache-2.0
// What a tuning tries: simulations of recorded runs of one job.
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

/// Checked as far as can be without a file. Empty lists: chosen by the traces and the platform.
struct TuneOptions : Stage {
  std::vector<std::string> operands;  ///< traces of the same job
  std::vector<std::string> strategies;
  std::vector<std::uint64_t> periods;
  std::vector<std::uint32_t> pes;
  std::vector<lb::Mode> modes;
  bool several_deciding = false;  ///< with these, other numbers of PEs that decide, where they are known
  Grid grid;                      ///< of the recorded ranks; empty: not given
  std::vector<Grid> to;           ///< coarser ones to try, too
  Grid cells;                     ///< of the program's grid; empty: they divide
  std::size_t seeds = 1;
  bool whole = false;    ///< none is given up
  double budget_s = 0;   ///< 0: no limit
  std::size_t jobs = 0;  ///< 0: as many as there are cores
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
  std::uint64_t points() const { return points_; }  ///< sync points that all runs have
  std::uint64_t told_points() const { return runs_.front().told_points; }  ///< with that at which a part ends
  /// What the options say, and where they say nothing, what the traces and the platform suggest.
  tune::Space space() const;

  /// What these trials need to be given up early: to be called before the first of them is made.
  void prepare(std::span<const tune::Trial> trials);
  /// In a process of its own: the outcome as JSON.
  std::string make(const tune::Trial& trial) const;
  static tune::Outcome outcome_of(const std::string& json);

  /// What a strategy could reach, did it know when its steps should be.
  struct BestPossible {
    tune::Configuration configuration;  ///< its period counts for nothing
    std::vector<std::uint64_t> steps;   ///< sync points
    double seconds;                     ///< with these
    double automatic_s;                 ///< with an automatic period
  };
  /// With the strategy and PEs of what took least of all that is balanced by a strategy of that name in the
  /// first run, inline; nothing where there is none, or it looks at messages, or the run is native or too
  /// long.
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
  simulate::Policy policy_;      // of all that is tried
  std::vector<PlayedRun> runs_;  // as recorded
  std::map<Key, trace::Trace> coarser_;
  std::map<Key, simulate::Remaining> remaining_;
  std::uint64_t points_ = 0;
};

}  // namespace skein::tools
