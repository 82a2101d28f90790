// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/lb_step.hpp"

#include <algorithm>
#include <array>

#include "runtime/balance/dump.hpp"
#include "runtime/balance/objects.hpp"
#include "runtime/balance/plan.hpp"
#include "runtime/balance/report.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/log.hpp"
#include "runtime/net/job_clock.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::balance {
namespace {

StepConfig config;
std::uint64_t steps = 0;  // so far
double job_start = 0;
double last_step = 0;
std::vector<double> busy_of_pe;

/// The same on all PEs: PE 0's clock decides.
bool too_soon() {
  double elapsed = seconds() - last_step;
  if (config.period.seconds <= 0) return false;
  net::broadcast(&elapsed, sizeof elapsed, 0);
  return elapsed < config.period.seconds;
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
  set_period(config.period);
  start_planning(config);
  job_start = last_step = seconds();
  if (!config.report_file.empty() && net::world.pe == 0) open_report(config.report_file);
  if (!config.dump_file.empty() && net::world.pe == 0) open_dump(config.dump_file);
}

void lb_step() {
  if (too_soon()) return;
  net::correct_job_clock();
  const double start = seconds();
  const StepTime time{steps, start - job_start, start - last_step};
  const Plan plan = make_plan(time);
  const double decided = seconds();

  MoveTotals totals;
  const lb::Decision decision{plan.new_pe, plan.splits};
  if (plan.moves || (config.balances() && objects().has_own_changes(decision)))
    totals = objects().move(decision);
  const double moved = seconds();
  sum_totals(totals);

  StepRecord record;
  record.step = ++steps;
  record.strategy = plan.strategy;
  record.at_seconds = time.so_far_s;
  record.interval_seconds = time.interval_s;
  record.pe_loads = plan.before;
  record.imbalance_before = plan.imbalance_before;
  record.imbalance_after = plan.imbalance_after;
  record.largest_before = std::ranges::max(plan.before);
  record.largest_after = std::ranges::max(plan.after);
  record.pinned = objects().pinned();
  record.moved = totals.objects;
  record.bytes_handed_over = totals.bytes_handed_over;
  record.bytes_copied = totals.bytes_copied;
  record.meet_seconds = objects().meeting_seconds();
  record.decide_seconds = decided - plan.decide_start;
  record.move_seconds = moved - decided;
  if (net::world.pe == 0) {
    if (config.balances()) report_step(record);
    SKEIN_LOG(
        verbose,
        "LB step %llu: imbalance %.1f %% -> %.1f %%, %llu %s moved, decided in %.3f ms, moved in %.3f ms",
        static_cast<unsigned long long>(record.step), record.imbalance_before, record.imbalance_after,
        static_cast<unsigned long long>(record.moved), objects().noun, record.decide_seconds * 1e3,
        record.move_seconds * 1e3);
  }
  learn_from(plan, time, decided - start, record.move_seconds);
  last_step = seconds();
}

void measure_whole_run() {
  busy_of_pe.resize(static_cast<std::size_t>(net::world.pes));
  const double mine = objects().busy_seconds();
  net::all_gather(&mine, sizeof mine, busy_of_pe.data());
}

bool close_lb_steps() {
  const bool dump_complete = close_dump();
  const bool report_complete = close_report();
  if (net::world.pe == 0) print_summary(config, seconds() - job_start);
  return dump_complete && report_complete;
}

double whole_run_imbalance() { return lb::percent_imbalance(busy_of_pe); }

}  // namespace skein::balance
