// SPDX-License-Identifier: Apache-2.0
// An LB step: collect, decide, move, resume. With a central strategy each PE decides for itself on the same
// snapshot, which is gathered anyway; strategies are deterministic, so all come to the same assignment and
// none has to be sent it. With a distributed one no snapshot is gathered: PEs decide about their own ranks by
// messages, and then tell each other who went where.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/balance/period.hpp"
#include "skein/lb/auto.hpp"
#include "skein/lb/load_model.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::balance {

struct StepConfig {
  std::optional<lb::Selection> strategy;     ///< the one that decides
  std::optional<lb::AutoOptions> automatic;  ///< instead: the model chooses one at each step
  Period period;  ///< which sync points are steps; automatic: skein/lb/period.hpp says
  std::uint64_t seed = 0;
  lb::LoadModel load_model;           ///< what the strategy sees as loads
  std::string dump_file;              ///< empty: no dump; else the snapshot of each step, written by PE 0
  std::uint64_t memory_bytes = 0;     ///< what the ranks of a PE may have in use between them; 0: no limit
  std::string report_file;            ///< empty: no report; else one JSON object a step, written by PE 0
  bool load_is_time = true;           ///< else it counts events
  const char* cannot_move = nullptr;  ///< why no object can move in this job, or null

  bool balances() const { return strategy || automatic; }  ///< else steps only measure
  bool has_steps() const { return balances() || !dump_file.empty(); }
};

/// What one step found and did. Times in seconds of this PE's clock.
struct StepRecord {
  std::uint64_t step = 0;
  std::string strategy;         ///< that decided; `none` where auto left the ranks where they were
  double at_seconds = 0;        ///< since the start of the job
  double interval_seconds = 0;  ///< since the last step
  double imbalance_before =
      0;  ///< percent, of the loads of the interval on the placement they were measured on
  double imbalance_after = 0;  ///< percent, of the same loads on the new placement
  double largest_before = 0;   ///< seconds of load on the fullest PE
  double largest_after = 0;
  std::uint64_t moved = 0;
  std::uint64_t bytes_handed_over = 0;
  std::uint64_t bytes_copied = 0;
  double meet_seconds = 0;  ///< PE 0 waited so long for the others
  double decide_seconds = 0;
  double move_seconds = 0;
  std::vector<double> pe_loads;  ///< of the interval, before
  std::vector<int> pinned;       ///< objects that had to stay
};

/// Takes the configuration and opens the report and the dump. Throws skein::Error if one cannot be written.
/// Collective.
void start_lb_steps(StepConfig config);

/// The step that run_pe() calls.
void lb_step();

/// At the end of the job, on every PE: measures the last interval without moving anything, so that a job
/// without LB knows its imbalance too. Collective.
void measure_whole_run();

/// Percent imbalance of all the time the ranks computed, over the whole run, on the PEs where they did.
double whole_run_imbalance();

/// Closes the report and the dump and prints the closing lines, on PE 0. False if one of the files could not
/// be written, which was said then: the job goes on without it, but must not end as if all were well.
[[nodiscard]] bool close_lb_steps();

}  // namespace skein::balance
