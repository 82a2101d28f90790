// SPDX-License-Identifier: Apache-2.0
// What the user is told of LB: the report file, and the closing lines. On PE 0.
#pragma once

#include <string>

#include "runtime/balance/lb_step.hpp"

namespace skein::balance {

/// Throws skein::Error naming the file and the reason.
void open_report(const std::string& path);
/// Takes the step into the summary and, if a report was opened, writes it there: one JSON object on one line,
/// at once. Only sums are kept, so that steps without end take no memory.
void report_step(const StepRecord& record);

/// Whether all that was written is in the file. True where no report was opened.
[[nodiscard]] bool close_report();

/// How the run went, to standard error: with LB a few lines; without, and with a terminal there, one line
/// that says how imbalanced it was and what to try.
void print_summary(const StepConfig& config, double job_seconds);

}  // namespace skein::balance
