// SPDX-License-Identifier: Apache-2.0
// What the user is told of LB: the report file, and the closing lines. On PE 0.
#pragma once

#include <string>
#include <vector>

#include "runtime/balance/gain.hpp"
#include "runtime/balance/interval.hpp"
#include "runtime/balance/objects.hpp"
#include "runtime/balance/plan.hpp"
#include "runtime/balance/step_config.hpp"

namespace skein::balance {

/// What one step found and did. Seconds are of PE 0's clock.
struct StepRecord {
  const Interval& interval;  ///< that ended with it
  const Plan& plan;
  const MoveTotals& moved;         ///< of all PEs
  const std::vector<int>& pinned;  ///< objects that had to stay
  double meet_s;                   ///< PE 0 waited so long for the others
  double decide_s;
  double move_s;
};

/// Throws skein::Error naming the file and the reason.
void open_report(const std::string& path);
/// Takes the step into the summary and, if a report was opened, writes it there: one JSON object on one line,
/// at once. Only sums are kept, so that steps without end take no memory.
void report_step(const StepRecord& record);

/// Whether all that was written is in the file. True where no report was opened.
[[nodiscard]] bool close_report();

/// How the run went, to standard error: with LB a few lines; without, and with a terminal there, one line
/// that says how imbalanced it was and what to try. `gain`: of the whole run.
void print_summary(const StepConfig& config, const Gain& gain, double job_seconds);

}  // namespace skein::balance
