// SPDX-License-Identifier: Apache-2.0
// The report file of `--lb-report`: a line for the job, one for each LB step, one for the end; each is a JSON
// object, written at once, so that the report of a killed run is complete up to its end. On PE 0.
#pragma once

#include <string>
#include <vector>

#include "runtime/balance/step_config.hpp"
#include "runtime/balance/step_record.hpp"
#include "skein/lb/interval.hpp"

namespace skein::balance {

/// Opens the report. Throws skein::Error naming the file and the reason.
void open_report(const std::string& path);
bool report_wanted();
/// Writes the job's line; `places`: Objects::places(), before anything has moved. Once: later calls do
/// nothing, as do all functions below if no report is open.
void report_job(const StepConfig& config, const std::vector<int>* places);
void report_step(const StepRecord& record);
/// Writes the last line. `last`: the interval after the last step; `gain`: of the whole run.
void report_end(const Interval& last, const lb::Gain& gain);

/// Closes the report. Returns false if something written is not in the file; true if no report was open.
[[nodiscard]] bool close_report();

}  // namespace skein::balance
