// SPDX-License-Identifier: Apache-2.0
// The report file of `--lb-report`: a line for the job, one for each LB step, one for the end; each a JSON
// object, written at once, so that a run that is killed leaves what it came to. On PE 0.
#pragma once

#include <string>
#include <vector>

#include "runtime/balance/interval.hpp"
#include "runtime/balance/objects.hpp"
#include "runtime/balance/plan.hpp"
#include "runtime/balance/step_config.hpp"
#include "skein/lb/gain.hpp"

namespace skein::balance {

/// An object that an LB step moved.
struct Relocation {
  std::size_t object;
  int from, to;
};

/// What one step found and did. Seconds are of PE 0's clock.
struct StepRecord {
  const Interval& interval;  ///< that ended with it
  const Plan& plan;
  const MoveTotals& moved;                     ///< of all PEs
  const std::vector<Relocation>& relocations;  ///< where Objects::places() tells of them
  double meet_s;                               ///< PE 0 waited so long for the others
  double decide_s;
  double move_s;
};

/// Throws skein::Error naming the file and the reason.
void open_report(const std::string& path);
bool report_wanted();
/// What the job is; `places`: Objects::places(), before anything has moved. Once: later calls do nothing, as
/// all functions below where no report was opened.
void report_job(const StepConfig& config, const std::vector<int>* places);
void report_step(const StepRecord& record);
/// `last`: the interval after the last step; `gain`: of the whole run.
void report_end(const Interval& last, const lb::Gain& gain);

/// Whether all that was written is in the file. True where no report was opened.
[[nodiscard]] bool close_report();

}  // namespace skein::balance
