// SPDX-License-Identifier: Apache-2.0
#include "runtime/move/lb_step.hpp"

#include <algorithm>
#include <array>

#include "runtime/base/clock.hpp"
#include "runtime/base/log.hpp"
#include "runtime/move/dump.hpp"
#include "runtime/move/objects.hpp"
#include "runtime/move/report.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::move {
namespace {

StepConfig config;
std::vector<StepRecord> records;
double job_start = 0;
double last_step = 0;
std::vector<double> busy_of_pe;
std::optional<lb::LoadHistory> history;  // none: the model changes nothing

/// The same on all PEs: PE 0's clock decides.
bool too_soon() {
  double elapsed = seconds() - last_step;
  if (config.least_seconds <= 0) return false;
  net::broadcast(&elapsed, sizeof elapsed, 0);
  return elapsed < config.least_seconds;
}

lb::Assignment decide(const lb::Snapshot& snapshot) {
  if (!config.strategy || config.cannot_move) return snapshot.objects.pe;
  const std::uint64_t seed = config.seed + records.size();
  if (!history) return config.strategy->assign(snapshot, seed);
  lb::Snapshot predicted = snapshot;
  predicted.objects.load = history->add(snapshot.objects);
  return config.strategy->assign(predicted, seed);
}

/// Sums over the PEs, so that every record tells of the whole job.
void sum_totals(MoveTotals& totals) {
  std::array<std::uint64_t, 3> sums{totals.objects, totals.bytes_handed_over, totals.bytes_copied};
  net::sum_polling(sums);
  totals = {sums[0], sums[1], sums[2]};
}

}  // namespace

void start_lb_steps(StepConfig new_config) {
  config = std::move(new_config);
  job_start = last_step = seconds();
  if (!config.report_file.empty() && net::world.pe == 0) open_report(config.report_file);
  if (!config.dump_file.empty() && net::world.pe == 0) open_dump(config.dump_file);
  if (!config.load_model.changes_nothing()) history.emplace(config.load_model);
}

void lb_step() {
  if (too_soon()) return;
  const double start = seconds();
  const lb::Snapshot snapshot = objects().collect();
  write_dump(records.size(), snapshot);
  const double decide_start = seconds();
  const lb::Assignment assignment = decide(snapshot);
  const double decided = seconds();

  MoveTotals totals;
  if (assignment != snapshot.objects.pe) totals = objects().move(assignment);
  const double moved = seconds();
  sum_totals(totals);

  StepRecord record;
  record.step = records.size() + 1;
  record.at_seconds = start - job_start;
  record.interval_seconds = start - last_step;
  record.pe_loads = lb::finish_times(snapshot, snapshot.objects.pe);
  record.imbalance_before = lb::percent_imbalance(snapshot, snapshot.objects.pe);
  record.imbalance_after = lb::percent_imbalance(snapshot, assignment);
  record.largest_before = *std::max_element(record.pe_loads.begin(), record.pe_loads.end());
  const std::vector<double> after = lb::finish_times(snapshot, assignment);
  record.largest_after = *std::max_element(after.begin(), after.end());
  record.pinned = objects().pinned();
  record.moved = totals.objects;
  record.bytes_handed_over = totals.bytes_handed_over;
  record.bytes_copied = totals.bytes_copied;
  record.decide_seconds = decided - decide_start;
  record.move_seconds = moved - decided;
  if (net::world.pe == 0) {
    if (config.strategy) write_report(record, *config.strategy);
    SKEIN_LOG(
        verbose,
        "LB step %llu: imbalance %.1f %% -> %.1f %%, %llu %s moved, decided in %.3f ms, moved in %.3f ms",
        static_cast<unsigned long long>(record.step), record.imbalance_before, record.imbalance_after,
        static_cast<unsigned long long>(record.moved), objects().noun, record.decide_seconds * 1e3,
        record.move_seconds * 1e3);
  }
  records.push_back(std::move(record));
  last_step = seconds();
}

void measure_whole_run() {
  busy_of_pe.resize(static_cast<std::size_t>(net::world.pes));
  const double mine = objects().busy_seconds();
  net::all_gather(&mine, sizeof mine, busy_of_pe.data());
}

void close_lb_steps() {
  close_dump();
  if (net::world.pe == 0) print_summary(config, seconds() - job_start);
}

const std::vector<StepRecord>& step_records() { return records; }

double whole_run_imbalance() { return lb::percent_imbalance(busy_of_pe); }

}  // namespace skein::move
