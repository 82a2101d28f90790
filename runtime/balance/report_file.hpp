// SPDX-License-Identifier: Apache-2.0
// The report file of `--lb-report`: a line for the job, one for each LB step, one for the end; each a JSON
// object, written at once, so that a run that is killed leaves what it came to. On PE 0.
#pragma once

#include <string>
#include <vector>

#include "runtime/balance/step_config.hpp"
#include "runtime/balance/step_record.hpp"
#include "skein/lb/interval.hpp"

namespace skein::balance {

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
