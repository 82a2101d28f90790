// SPDX-License-Identifier: Apache-2.0
#include "runtime/move/lb_step.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "runtime/base/clock.hpp"
#include "runtime/base/log.hpp"
#include "runtime/move/collect.hpp"
#include "runtime/move/dump.hpp"
#include "runtime/move/location.hpp"
#include "runtime/move/mover.hpp"
#include "runtime/move/pe_loop.hpp"
#include "runtime/move/report.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/pe_processes.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/rank/scheduler.hpp"
#include "skein/lb/distributed.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::move {
namespace {

StepConfig config;
std::vector<StepRecord> records;
double job_start = 0;
double last_step = 0;
std::vector<double> busy_of_pe;
std::vector<bool> told_above_memory;     // by PE
std::optional<lb::LoadHistory> history;  // none: the model changes nothing

/// The same on all PEs: PE 0's clock decides.
bool too_soon() {
  double elapsed = seconds() - last_step;
  if (config.least_seconds <= 0) return false;
  net::broadcast(&elapsed, sizeof elapsed, 0);
  return elapsed < config.least_seconds;
}

/// Ends the job if deciding failed on any PE: the first of them says why.
void end_if_failed(const std::string& failure) {
  const char mine = !failure.empty();
  std::vector<char> failed(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, failed.data());
  const auto first = std::ranges::find(failed, 1);
  if (first == failed.end()) return;
  if (first - failed.begin() == net::world.pe) {
    log_line("LB step %zu: %s", records.size() + 1, failure.c_str());
    net::take_down(1);
  }
  net::barrier();  // until taken down
}

/// Calls `decide`; a failure on any PE ends the job.
template <class Decide>
void decide_or_end(Decide decide) {
  std::string failure;
  try {
    decide();
  } catch (const std::exception& error) {
    failure = error.what();
  }
  end_if_failed(failure);
}

std::uint64_t step_seed() { return config.seed + records.size(); }

/// Says so when a PE is found above --lb-memory, and again only after it was below.
void tell_memory(const lb::Snapshot& snapshot, const lb::Assignment& assignment) {
  if (config.memory_bytes == 0 || net::world.pe != 0) return;
  const std::vector<std::uint64_t> held = lb::held_bytes(snapshot, assignment);
  told_above_memory.resize(held.size());
  for (std::size_t pe = 0; pe < held.size(); ++pe) {
    const bool above = held[pe] > config.memory_bytes;
    if (above && !told_above_memory[pe])
      SKEIN_WARN(
          "the ranks of PE %zu have %llu bytes in use, more than --lb-memory, and no other PE has room", pe,
          static_cast<unsigned long long>(held[pe]));
    told_above_memory[pe] = above;
  }
}

/// What a step is to do, and when the PEs finish without and with it.
struct Plan {
  std::vector<int> new_pe;  // by rank
  std::vector<double> before, after;
  double imbalance_before = 0, imbalance_after = 0;  // percent
  double decide_start = 0;
};

/// What the strategy makes of the loads that the model expects.
lb::Assignment decide(const lb::Snapshot& snapshot) {
  if (!history) return config.strategy->assign(snapshot, step_seed());
  lb::Snapshot predicted = snapshot;
  predicted.objects.load = history->add(snapshot.objects);
  return config.strategy->assign(predicted, step_seed());
}

/// All PEs get the snapshot of the whole job and decide alike.
Plan plan_centrally() {
  lb::Snapshot snapshot = collect_snapshot();
  if (config.memory_bytes > 0) snapshot.pes.memory_bytes.assign(snapshot.pe_count(), config.memory_bytes);
  write_dump(records.size(), snapshot);
  Plan plan;
  plan.decide_start = seconds();
  lb::Assignment assignment = snapshot.objects.pe;
  if (config.strategy && !config.cannot_move) decide_or_end([&] { assignment = decide(snapshot); });
  tell_memory(snapshot, assignment);
  plan.new_pe.assign(assignment.begin(), assignment.end());
  plan.before = lb::finish_times(snapshot, snapshot.objects.pe);
  plan.after = lb::finish_times(snapshot, assignment);
  plan.imbalance_before = lb::percent_imbalance(snapshot, snapshot.objects.pe);
  plan.imbalance_after = lb::percent_imbalance(snapshot, assignment);
  return plan;
}

double finish_of(const lb::LocalPe& local, const std::vector<lb::LocalObject>& objects) {
  double finish = local.fixed_s;
  for (const lb::LocalObject& object : objects) finish += object.load;
  return finish;
}

std::vector<double> gather(double mine) {
  std::vector<double> all(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, all.data());
  return all;
}

/// The new places of ranks, from the ranks that each PE has got.
std::vector<int> places_with(const std::vector<lb::LocalObject>& mine) {
  std::vector<int> arrived;
  for (const lb::LocalObject& object : mine) {
    if (!is_here(static_cast<int>(object.object))) arrived.push_back(static_cast<int>(object.object));
  }
  const int count = static_cast<int>(arrived.size());
  std::vector<int> counts(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&count, sizeof count, counts.data());
  const auto all = net::all_gather_blocks(std::as_bytes(std::span(arrived)));
  std::vector<int> new_pe = pe_of_rank;
  const std::byte* next = all.data();
  for (int pe = 0; pe < net::world.pes; ++pe) {
    for (int k = 0; k < counts[static_cast<std::size_t>(pe)]; ++k, next += sizeof(int)) {
      int rank;
      memcpy(&rank, next, sizeof rank);
      new_pe[static_cast<std::size_t>(rank)] = pe;
    }
  }
  return new_pe;
}

/// Each PE decides about its own ranks; what all get to know is who went where, and the PEs' finish times.
Plan plan_distributed() {
  const lb::LocalPe local = collect_local();
  Plan plan;
  plan.decide_start = seconds();
  std::vector<std::unique_ptr<lb::PeProcess>> process;
  decide_or_end(
      [&] { process.push_back(config.strategy->info->begin(local, config.strategy->options, step_seed())); });
  net::run_pe_processes(process, local.pe_count);
  plan.new_pe = places_with(process[0]->objects());
  plan.before = gather(finish_of(local, local.objects));
  plan.after = gather(finish_of(local, process[0]->objects()));
  plan.imbalance_before = lb::percent_imbalance(plan.before);
  plan.imbalance_after = lb::percent_imbalance(plan.after);
  return plan;
}

/// A memory limit, a dump and the history of a load model look at all ranks: with one of them, distributed
/// strategies are played on the snapshot.
bool is_distributed() {
  return config.strategy && config.strategy->info->begin && !config.cannot_move && config.memory_bytes == 0 &&
         config.dump_file.empty() && !history;
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
  net::start_pe_processes();
  config = std::move(new_config);
  job_start = last_step = seconds();
  if (!config.report_file.empty() && net::world.pe == 0) open_report(config.report_file);
  if (!config.dump_file.empty() && net::world.pe == 0) open_dump(config.dump_file);
  if (!config.load_model.changes_nothing()) history.emplace(config.load_model);
}

void lb_step() {
  if (too_soon()) return;
  const double start = seconds();
  const Plan plan = is_distributed() ? plan_distributed() : plan_centrally();
  const double decided = seconds();

  MoveTotals totals;
  if (plan.new_pe != pe_of_rank) totals = move_ranks(plan.new_pe);
  count_live_ranks();
  const double moved = seconds();
  sum_totals(totals);

  StepRecord record;
  record.step = records.size() + 1;
  record.at_seconds = start - job_start;
  record.interval_seconds = start - last_step;
  record.pe_loads = plan.before;
  record.imbalance_before = plan.imbalance_before;
  record.imbalance_after = plan.imbalance_after;
  record.largest_before = std::ranges::max(plan.before);
  record.largest_after = std::ranges::max(plan.after);
  record.pinned = pinned_ranks();
  record.moved = totals.ranks;
  record.bytes_handed_over = totals.bytes_handed_over;
  record.bytes_copied = totals.bytes_copied;
  record.decide_seconds = decided - plan.decide_start;
  record.move_seconds = moved - decided;
  if (net::world.pe == 0) {
    if (config.strategy) write_report(record, *config.strategy);
    SKEIN_LOG(
        verbose,
        "LB step %llu: imbalance %.1f %% -> %.1f %%, %llu ranks moved, decided in %.3f ms, moved in %.3f ms",
        static_cast<unsigned long long>(record.step), record.imbalance_before, record.imbalance_after,
        static_cast<unsigned long long>(record.moved), record.decide_seconds * 1e3,
        record.move_seconds * 1e3);
  }
  records.push_back(std::move(record));
  last_step = seconds();
}

void measure_whole_run() {
  busy_of_pe.resize(static_cast<std::size_t>(net::world.pes));
  const double mine = static_cast<double>(scheduler_stats.busy_ticks) * ns_per_tick() * 1e-9;
  net::all_gather(&mine, sizeof mine, busy_of_pe.data());
}

void close_lb_steps() {
  if (net::world.pe == 0) print_summary(config, seconds() - job_start);
}

const std::vector<StepRecord>& step_records() { return records; }

double whole_run_imbalance() { return lb::percent_imbalance(busy_of_pe); }

}  // namespace skein::move
