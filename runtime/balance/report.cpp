// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/report.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "runtime/balance/lb_step.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/pe_runtime.hpp"

namespace skein::balance {
namespace {

struct Report {
  FILE* file = nullptr;
  bool failed = false;
};
PerRuntime<Report> report;
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

  void add(const StepRecord& record);
};
PerRuntime<Totals> totals;

void Totals::add(const StepRecord& record) {
  ++steps;
  imbalance_before += record.plan.before.imbalance_percent();
  imbalance_after += record.plan.after.imbalance_percent();
  decide_seconds += record.decide_s;
  move_seconds += record.move_s;
  moved += record.moved.objects;
  bytes_handed_over += static_cast<double>(record.moved.bytes_handed_over);
  bytes_copied += static_cast<double>(record.moved.bytes_copied);
  ++decided[record.plan.strategy];
}

/// "none 12 times, refine 3 times".
std::string choices_text() {
  std::string text;
  for (const auto& [strategy, times] : totals->decided)
    text += format("%s%s %llu times", text.empty() ? "" : ", ", strategy.c_str(), wide(times));
  return text.empty() ? "nothing: there was no step" : text;
}

using Json = nlohmann::ordered_json;

/// A field of the report, in the order of the table in docs/porting.md.
struct Field {
  const char* name;
  Json (*of)(const StepRecord& record);
};
constexpr Field fields[] = {
    {"step", [](const StepRecord& r) -> Json { return r.interval.index + 1; }},
    {"strategy", [](const StepRecord& r) -> Json { return r.plan.strategy; }},
    {"at_s", [](const StepRecord& r) -> Json { return r.interval.so_far_s; }},
    {"interval_s", [](const StepRecord& r) -> Json { return r.interval.length_s; }},
    {"imbalance_before_percent",
     [](const StepRecord& r) -> Json { return r.plan.before.imbalance_percent(); }},
    {"imbalance_after_percent", [](const StepRecord& r) -> Json { return r.plan.after.imbalance_percent(); }},
    {"max_load_before_s", [](const StepRecord& r) -> Json { return r.plan.before.largest(); }},
    {"max_load_after_s", [](const StepRecord& r) -> Json { return r.plan.after.largest(); }},
    {"max_busy_s", [](const StepRecord& r) -> Json { return std::ranges::max(r.interval.took_s); }},
    {"max_busy_unbalanced_s",
     [](const StepRecord& r) -> Json { return std::ranges::max(r.interval.unbalanced_s); }},
    {"objects_moved", [](const StepRecord& r) -> Json { return r.moved.objects; }},
    {"objects_pinned", [](const StepRecord& r) -> Json { return r.pinned; }},
    {"bytes_handed_over", [](const StepRecord& r) -> Json { return r.moved.bytes_handed_over; }},
    {"bytes_copied", [](const StepRecord& r) -> Json { return r.moved.bytes_copied; }},
    {"meet_s", [](const StepRecord& r) -> Json { return r.meet_s; }},
    {"decide_s", [](const StepRecord& r) -> Json { return r.decide_s; }},
    {"move_s", [](const StepRecord& r) -> Json { return r.move_s; }},
    {"pe_loads_s", [](const StepRecord& r) -> Json { return r.plan.before.of_pe; }},
};

void write_report(const StepRecord& record) {
  if (!report->file) return;
  Json line;
  for (const Field& field : fields) line[field.name] = field.of(record);
  const std::string text = line.dump() + "\n";
  if (fwrite(text.data(), 1, text.size(), report->file) != text.size() || fflush(report->file) != 0) {
    log_line("the LB report could not be written further: %s (--lb-report)", strerror(errno));
    report->failed = true;
    fclose(report->file);
    report->file = nullptr;
  }
}

}  // namespace

void open_report(const std::string& path) {
  report->file = fopen(path.c_str(), "we");
  if (!report->file)
    throw Error(
        format("the LB report %s cannot be written: %s (--lb-report)", path.c_str(), strerror(errno)));
}

void report_step(const StepRecord& record) {
  totals->add(record);
  write_report(record);
}

bool close_report() {
  if (report->file && fclose(report->file) != 0) {
    log_line("the LB report is not complete: %s (--lb-report)", strerror(errno));
    report->failed = true;
  }
  report->file = nullptr;
  return !report->failed;
}

void print_summary(const StepConfig& config, const Gain& gain, double job_seconds) {
  if (!config.balances()) {
    if (isatty(STDERR_FILENO) && whole_run_imbalance() >= worth_a_hint_percent)
      SKEIN_LOG(normal,
                "imbalance %.0f %%: the fullest PE computed that much longer than the average; try --lb "
                "greedy-refine",
                whole_run_imbalance());
    return;
  }
  const double steps = totals->steps == 0 ? 1 : static_cast<double>(totals->steps);
  const std::string name(config.automatic ? "auto" : config.strategy->info->name);
  SKEIN_LOG(normal,
            "LB %s: %llu steps in %.2f s, imbalance %.1f %% before a step and %.1f %% after, on average",
            name.c_str(), wide(totals->steps), job_seconds, totals->imbalance_before / steps,
            totals->imbalance_after / steps);
  SKEIN_LOG(normal, "LB moved %llu %s: %s handed over, %s copied; deciding took %.3f s, moving %.3f s",
            wide(totals->moved), objects().noun(), bytes_text(totals->bytes_handed_over).c_str(),
            bytes_text(totals->bytes_copied).c_str(), totals->decide_seconds, totals->move_seconds);
  if (config.automatic) SKEIN_LOG(normal, "LB auto chose %s", choices_text().c_str());
  SKEIN_LOG(normal, "LB gain: without balancing about %.2f s on the fullest PE, with %.2f s",
            gain.without_s(), gain.with_s());
  if (config.cannot_move) SKEIN_LOG(normal, "LB moved nothing: %s", config.cannot_move);
  if (totals->steps == 0)
    SKEIN_LOG(normal, "LB had no step: the program met no sync point; %s, and see --lb-period",
              objects().sync_hint().c_str());
}

}  // namespace skein::balance
