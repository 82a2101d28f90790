// SPDX-License-Identifier: Apache-2.0
// State of the outputs about LB steps: dump, report, status line, closing lines. On PE 0.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <string>

#include "runtime/balance/step_record.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "skein/lb/load_file.hpp"

namespace skein::balance {

struct Dump {
  std::optional<lb::LoadWriter> writer;
  bool failed = false;
};

struct Report {
  FILE* file = nullptr;
  bool failed = false;
  bool begun = false;  // the job's line is written
};

/// The values in the status line.
struct Drawn {
  double start = 0;
  /// The rate is measured from one of two moments, of which the younger is a window old at most.
  double older_at = 0, younger_at = 0;
  std::uint64_t older_points = 0, younger_points = 0;
  std::uint64_t steps = 0, moved = 0;
  double imbalance_percent = 0;
};

/// Sums over the steps so far.
struct Totals {
  std::uint64_t steps = 0;
  double imbalance_before = 0, imbalance_after = 0;
  double decide_seconds = 0, move_seconds = 0;
  std::uint64_t moved = 0;
  double bytes_handed_over = 0, bytes_copied = 0, bytes_followed = 0;
  std::map<std::string, std::uint64_t> decided;  // how often each strategy decided
  std::uint64_t last_moving = 0;                 // the last step that moved anything; 0: none did
  std::string why_moved, why_not;              // reasons of that step, and of the last one that moved nothing
  std::uint64_t late_points = 0, dropped = 0;  // with --lb-mode lazy

  void add(const StepRecord& record);
};

struct StepOutput {
  Dump dump;
  Report report;
  Drawn drawn;
  Totals totals;
};
extern PerRuntime<StepOutput> step_output;

}  // namespace skein::balance
