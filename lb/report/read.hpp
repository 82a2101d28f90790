// SPDX-License-Identifier: Apache-2.0
// The kinds of files that a report is made of. All throw ReportError.
#pragma once
#include <cstdint>
#include <string>

#include "json_place.hpp"
#include "skein/lb/report.hpp"

namespace skein::report {

/// More PEs are no job but a mistake.
inline constexpr std::uint64_t most_pes = 1u << 24;

/// Of --lb-report: a line for the job, one for each LB step, one for the end.
Run read_run_report(const std::string& text, const std::string& path);
/// Reads what skein simulate --json writes.
Run read_simulation(const JsonPlace& json, const std::string& path);
Run read_recorded(const std::string& path, const Play& play);
/// What several kinds have in common: a number for each PE.
std::vector<double> read_loads(const JsonPlace& list, const Run& run);
/// An LB step, but for its bytes and what only one kind knows.
Step read_step(const JsonPlace& place, const Run& run);
/// Reads what skein tune --json writes.
Tuning read_tuning(const JsonPlace& json, const std::string& path);

}  // namespace skein::report
