// SPDX-License-Identifier: Apache-2.0
// Leads the grids through time, and makes their hierarchy: one element, which stays on PE 0.
#pragma once

#include <chrono>

#include "apps/common/fixed_sum.hpp"
#include "hierarchies.hpp"
#include "regrid.hpp"

namespace samr {

class Grid;

/// What all are to do next. Turns are numbered, so that nothing is taken for what belongs to another.
struct Turn {
  std::int32_t number = 0;
  std::int32_t level = 0;
  std::int32_t part = 0;  ///< which of the steps that make one of the level below
  double time = 0, dt = 0;
  double fraction = 1;  ///< of the last step of the level below, at this time
  double pulled =
      0;  ///< how long gas is pulled: from the middle of the level's last step to that of this one
};

/// Sums over grids, of cells that no finer ones cover; they are exact, so the same wherever the cells are.
struct Totals {
  apps::FixedSum mass, energy;    ///< particles have mass, too
  std::uint64_t fingerprint = 0;  ///< of every digit of all cells, covered ones too
  std::uint64_t cells = 0;        ///< covered ones too
  std::uint64_t particles = 0;

  friend Totals operator+(const Totals& a, const Totals& b) {
    return {a.mass + b.mass, a.energy + b.energy, a.fingerprint + b.fingerprint, a.cells + b.cells,
            a.particles + b.particles};
  }
};

struct FinalCell {
  std::int32_t level = 0;
  Cell cell{};
  Gas gas;
};

class Director : public skein::Chare<Director, skein::Index1> {
 public:
  skein::Awaited<void(std::vector<Placed>)> placed;  ///< where all patches are, behind a sync point

  explicit Director(const CommandLine& line) : parameters_(line.parameters), files_(line) { pin(); }

  double load() const { return 0; }  ///< as grids say theirs, nothing is to be measured beside them
  skein::Flow run(skein::Array<Grid> grids, skein::Array<Hierarchies> hierarchies);

 private:
  using Clock = std::chrono::steady_clock;

  static double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }
  bool over() const {
    return time_ >= parameters_.end || (parameters_.steps > 0 && step_ == parameters_.steps);
  }
  bool has(int level) const { return level < hierarchy_.levels(); }
  Turn turn(int level) { return {++turns_, level}; }

  skein::Flow begin();
  /// From one time of the level below to the next, with all finer levels.
  skein::Flow evolve(int level, double time, double dt);
  /// A level gets what the next has found out.
  skein::Flow correct(Turn step);
  /// The potential of a level, and what it does in a step of the level.
  skein::Flow attract(const Turn& step);
  skein::Flow settle(int level, bool adapted);
  /// New grids of the levels above `base`, which has come to a time, at that fraction of the step of the
  /// level below.
  skein::Flow adapt(int base, double time, double fraction, bool initial);
  skein::Flow synchronize(int base);
  skein::Flow spread(Hierarchy hierarchy);
  Placed made(int level, const Box& box);
  /// Throws std::runtime_error where a level would not fit: so many cells, with those of the levels below.
  void check_memory(int level, std::int64_t cells) const;
  skein::Flow report();
  skein::Flow end();

  Parameters parameters_;
  CommandLine files_;
  skein::Array<Grid> grids_;
  skein::Array<Hierarchies> hierarchies_;
  Hierarchy hierarchy_;
  std::int32_t turns_ = 0, grids_made_ = 0;
  int step_ = 0, adapted_ = 0, adapted_in_loop_ = 0;
  double adapting_s_ = 0, adapting_computed_s_ = 0;  // in the loop: elapsed, and of this PE's processor
  std::size_t most_grids_ = 0, most_parts_ = 0;
  double time_ = 0, mean_density_ = 0;
  std::vector<double> last_dt_, pull_speed_;       // of each level
  int solved_ = 0, cycles_ = 0, most_cycles_ = 0;  // of multigrid
  std::uint64_t updates_ = 0;                      // of cells
  Totals first_, last_;
  Clock::time_point started_;
};

}  // namespace samr
