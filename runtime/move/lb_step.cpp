// SPDX-License-Identifier: Apache-2.0
#include "runtime/move/lb_step.hpp"

#include <algorithm>
#include <array>

#include "runtime/base/clock.hpp"
#include "runtime/base/log.hpp"
#include "runtime/move/auto_balance.hpp"
#include "runtime/move/collect.hpp"
#include "runtime/move/dump.hpp"
#include "runtime/move/location.hpp"
#include "runtime/move/machine_costs.hpp"
#include "runtime/move/mover.hpp"
#include "runtime/move/pe_loop.hpp"
#include "runtime/move/report.hpp"
#include "runtime/move/sync.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/rank/scheduler.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::move {
namespace {

StepConfig config;
std::vector<StepRecord> records;
double job_start = 0;
double last_step = 0;
std::vector<double> busy_of_pe;
std::optional<lb::LoadHistory> history;     // none: the model of loads changes nothing
std::optional<AutoBalance> model;           // with --lb auto
std::optional<lb::AutoPeriod> auto_period;  // with --lb-period auto

// The part of the time that looking whether there is anything to balance may take.
constexpr double most_overhead = 0.005;

/// The same on all PEs: PE 0's clock decides.
bool too_soon() {
  double elapsed = seconds() - last_step;
  if (config.least_seconds <= 0) return false;
  net::broadcast(&elapsed, sizeof elapsed, 0);
  return elapsed < config.least_seconds;
}

/// The snapshot with the loads that the next interval is expected to have.
lb::Snapshot expected(const lb::Snapshot& snapshot) {
  lb::Snapshot next = snapshot;
  if (history) next.objects.load = history->add(snapshot.objects);
  return next;
}

/// With the name and the assignment of the strategy alone where nothing was chosen.
lb::Choice decide(const lb::Snapshot& snapshot, double start) {
  const std::uint64_t seed = config.seed + records.size();
  lb::Choice choice;
  if (!config.balances() || config.cannot_move) {
    choice.rows.push_back({.strategy = "none"});
    choice.assignment = snapshot.objects.pe;
  } else if (model) {
    // All PEs must choose by the same times: those of PE 0.
    std::array<double, 2> times{start - job_start, start - last_step};
    net::broadcast(times.data(), sizeof times, 0);
    choice = model->choose(expected(snapshot), times[0], times[1], points_in_interval(), seed);
    if (net::world.pe == 0) SKEIN_LOG(verbose, "LB auto:\n%s", lb::describe(choice).c_str());
  } else {
    choice.rows.push_back({.strategy = std::string(config.strategy->info->name)});
    choice.assignment = config.strategy->assign(expected(snapshot), seed);
  }
  return choice;
}

/// What the step teaches, on all PEs the same. `mine` has the times of this PE.
void learn(const lb::Snapshot& snapshot, lb::Choice& choice, const StepTimes& mine) {
  if (!model && !auto_period) return;
  const StepTimes times = reduce(mine);
  reduce(choice.trials);
  const double look = times.meeting + times.thinking;
  if (model && !config.cannot_move) model->learn(snapshot, choice, look, times.moving);
  if (!auto_period) return;
  const double perfect = lb::perfect_finish(snapshot);
  const auto excess = [&](const lb::Assignment& pe_of) {
    return std::ranges::max(lb::finish_times(snapshot, pe_of)) - perfect;
  };
  set_next_step(auto_period->next({.points = points_in_interval(),
                                   .interval_s = times.interval,
                                   .excess_before_s = excess(snapshot.objects.pe),
                                   .excess_after_s = excess(choice.assignment),
                                   .look_s = look,
                                   .movement_s = times.moving}));
}

void count_live_ranks() {
  int live = 0;
  for (std::size_t id = 0; id < pe_of_rank.size(); ++id)
    live += is_here(static_cast<int>(id)) && !rank_in_slot(static_cast<int>(id)).done;
  set_live_ranks(live);
}

/// Sums over the PEs, so that every record tells of the whole job.
void sum_totals(MoveTotals& totals) {
  std::array<std::uint64_t, 3> sums{totals.ranks, totals.bytes_handed_over, totals.bytes_copied};
  net::sum_polling(sums);
  totals = {sums[0], sums[1], sums[2]};
}

}  // namespace

void start_lb_steps(StepConfig new_config) {
  config = std::move(new_config);
  if (config.automatic) model.emplace(*config.automatic, measure_machine(), moves_copy());
  if (config.automatic_period) auto_period.emplace(most_overhead);
  job_start = last_step = seconds();
  if (!config.report_file.empty() && net::world.pe == 0) open_report(config.report_file);
  if (!config.dump_file.empty() && net::world.pe == 0) open_dump(config.dump_file);
  if (!config.load_model.changes_nothing()) history.emplace(config.load_model);
}

void lb_step() {
  if (too_soon()) return;
  const double start = seconds();
  lb::Snapshot snapshot = collect_snapshot();
  snapshot.step = records.size();
  write_dump(records.size(), snapshot);
  const double decide_start = seconds();
  lb::Choice choice = decide(snapshot, start);
  const lb::Assignment& assignment = choice.assignment;
  const double decided = seconds();

  std::vector<int> new_pe(assignment.begin(), assignment.end());
  MoveTotals totals;
  if (assignment != snapshot.objects.pe) totals = move_ranks(new_pe);
  count_live_ranks();
  const double moved = seconds();
  sum_totals(totals);

  StepRecord record;
  record.step = records.size() + 1;
  record.strategy = choice.row().strategy;
  record.at_seconds = start - job_start;
  record.interval_seconds = start - last_step;
  record.pe_loads = lb::finish_times(snapshot, snapshot.objects.pe);
  record.imbalance_before = lb::percent_imbalance(snapshot, snapshot.objects.pe);
  record.imbalance_after = lb::percent_imbalance(snapshot, assignment);
  record.largest_before = *std::max_element(record.pe_loads.begin(), record.pe_loads.end());
  const std::vector<double> after = lb::finish_times(snapshot, assignment);
  record.largest_after = *std::max_element(after.begin(), after.end());
  record.pinned = pinned_ranks();
  record.moved = totals.ranks;
  record.bytes_handed_over = totals.bytes_handed_over;
  record.bytes_copied = totals.bytes_copied;
  record.decide_seconds = decided - decide_start;
  record.move_seconds = moved - decided;
  if (net::world.pe == 0) {
    if (config.balances()) write_report(record);
    SKEIN_LOG(
        verbose,
        "LB step %llu: imbalance %.1f %% -> %.1f %%, %llu ranks moved, decided in %.3f ms, moved in %.3f ms",
        static_cast<unsigned long long>(record.step), record.imbalance_before, record.imbalance_after,
        static_cast<unsigned long long>(record.moved), record.decide_seconds * 1e3,
        record.move_seconds * 1e3);
  }
  learn(snapshot, choice,
        {record.interval_seconds, last_meeting_seconds(), decided - start, record.move_seconds});
  records.push_back(std::move(record));
  last_step = seconds();
}

void measure_whole_run() {
  busy_of_pe.resize(static_cast<std::size_t>(net::world.pes));
  const double mine = static_cast<double>(scheduler_stats.busy_ticks) * ns_per_tick() * 1e-9;
  net::all_gather(&mine, sizeof mine, busy_of_pe.data());
}

void close_lb_steps() {
  close_dump();
  if (net::world.pe == 0) print_summary(config, seconds() - job_start);
}

const std::vector<StepRecord>& step_records() { return records; }

double whole_run_imbalance() { return lb::percent_imbalance(busy_of_pe); }

}  // namespace skein::move
