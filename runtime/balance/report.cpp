// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/report.hpp"

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "runtime/balance/objects.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"

namespace skein::balance {
namespace {

FILE* report = nullptr;
bool failed = false;
constexpr double worth_a_hint_percent = 10;

unsigned long long wide(std::uint64_t n) { return n; }

std::string bytes_text(double bytes) {
  if (bytes >= 1e9) return format("%.2f GB", bytes * 1e-9);
  if (bytes >= 1e6) return format("%.1f MB", bytes * 1e-6);
  return format("%.1f kB", bytes * 1e-3);
}

/// Of the steps so far.
struct Totals {
  std::uint64_t steps = 0;
  double imbalance_before = 0, imbalance_after = 0;
  double decide_seconds = 0, move_seconds = 0;
  std::uint64_t moved = 0;
  double bytes_handed_over = 0, bytes_copied = 0;
  std::map<std::string, std::uint64_t> decided;  // how often each strategy
  /// What the steps saved: had no rank moved at step k, interval k + 1 would have had the largest PE load
  /// that its measured loads give on the placement before. That is not known; what is: by how much each step
  /// lowered the largest load of the interval it saw, assuming the next interval has the same loads. After
  /// the last step there is no such interval.
  double gain = 0, gain_of_last = 0;

  void add(const StepRecord& record);
};
Totals totals;

void Totals::add(const StepRecord& record) {
  ++steps;
  imbalance_before += record.imbalance_before;
  imbalance_after += record.imbalance_after;
  decide_seconds += record.decide_seconds;
  move_seconds += record.move_seconds;
  moved += record.moved;
  bytes_handed_over += static_cast<double>(record.bytes_handed_over);
  bytes_copied += static_cast<double>(record.bytes_copied);
  ++decided[record.strategy];
  gain += gain_of_last;
  gain_of_last = record.largest_before - record.largest_after;
}

/// "none 12 times, refine 3 times".
std::string choices_text() {
  std::string text;
  for (const auto& [strategy, times] : totals.decided)
    text += format("%s%s %llu times", text.empty() ? "" : ", ", strategy.c_str(), wide(times));
  return text.empty() ? "nothing: there was no step" : text;
}

void write_report(const StepRecord& record) {
  if (!report) return;
  const nlohmann::ordered_json line = {{"step", record.step},
                                       {"strategy", record.strategy},
                                       {"at_s", record.at_seconds},
                                       {"interval_s", record.interval_seconds},
                                       {"imbalance_before_percent", record.imbalance_before},
                                       {"imbalance_after_percent", record.imbalance_after},
                                       {"max_load_before_s", record.largest_before},
                                       {"max_load_after_s", record.largest_after},
                                       {"objects_moved", record.moved},
                                       {"objects_pinned", record.pinned},
                                       {"bytes_handed_over", record.bytes_handed_over},
                                       {"bytes_copied", record.bytes_copied},
                                       {"meet_s", record.meet_seconds},
                                       {"decide_s", record.decide_seconds},
                                       {"move_s", record.move_seconds},
                                       {"pe_loads_s", record.pe_loads}};
  const std::string text = line.dump() + "\n";
  if (fwrite(text.data(), 1, text.size(), report) != text.size() || fflush(report) != 0) {
    log_line("the LB report could not be written further: %s (--lb-report)", strerror(errno));
    failed = true;
    fclose(report);
    report = nullptr;
  }
}

}  // namespace

void open_report(const std::string& path) {
  report = fopen(path.c_str(), "we");
  if (!report)
    throw Error(
        format("the LB report %s cannot be written: %s (--lb-report)", path.c_str(), strerror(errno)));
}

void report_step(const StepRecord& record) {
  totals.add(record);
  write_report(record);
}

bool close_report() {
  if (report && fclose(report) != 0) {
    log_line("the LB report is not complete: %s (--lb-report)", strerror(errno));
    failed = true;
  }
  report = nullptr;
  return !failed;
}

void print_summary(const StepConfig& config, double job_seconds) {
  if (!config.balances()) {
    if (isatty(STDERR_FILENO) && whole_run_imbalance() >= worth_a_hint_percent)
      SKEIN_LOG(normal,
                "imbalance %.0f %%: the fullest PE computed that much longer than the average; try --lb "
                "greedy-refine",
                whole_run_imbalance());
    return;
  }
  const double steps = totals.steps == 0 ? 1 : static_cast<double>(totals.steps);
  const std::string name(config.automatic ? "auto" : config.strategy->info->name);
  SKEIN_LOG(normal,
            "LB %s: %llu steps in %.2f s, imbalance %.1f %% before a step and %.1f %% after, on average",
            name.c_str(), wide(totals.steps), job_seconds, totals.imbalance_before / steps,
            totals.imbalance_after / steps);
  SKEIN_LOG(normal, "LB moved %llu %s: %s handed over, %s copied; deciding took %.3f s, moving %.3f s",
            wide(totals.moved), objects().noun, bytes_text(totals.bytes_handed_over).c_str(),
            bytes_text(totals.bytes_copied).c_str(), totals.decide_seconds, totals.move_seconds);
  if (config.automatic) SKEIN_LOG(normal, "LB auto chose %s", choices_text().c_str());
  if (config.load_is_time)
    SKEIN_LOG(normal, "LB gain, estimated: %.2f s less on the fullest PE",
              std::abs(totals.gain) < 0.005 ? 0 : totals.gain);  // no "-0.00 s"
  if (config.cannot_move) SKEIN_LOG(normal, "LB moved nothing: %s", config.cannot_move);
  if (totals.steps == 0)
    SKEIN_LOG(normal, "LB had no step: the program met no sync point; %s, and see --lb-period",
              objects().sync_hint);
}

}  // namespace skein::balance
