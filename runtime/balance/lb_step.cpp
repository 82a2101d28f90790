// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/lb_step.hpp"
#include "runtime/balance/pe_speeds.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "runtime/balance/dump.hpp"
#include "runtime/balance/lazy.hpp"
#include "runtime/balance/live_mode.hpp"
#include "runtime/balance/objects.hpp"
#include "runtime/balance/plan.hpp"
#include "runtime/balance/progress.hpp"
#include "runtime/balance/report.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/balance/summary.hpp"
#include "runtime/balance/witness.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/job_clock.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/trace/recording.hpp"
#include "skein/lb/gain.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::balance {
namespace {

struct Run {
  StepConfig config;
  std::uint64_t steps = 0;      // so far
  std::uint64_t points = 0;     // sync points of the present interval that gathered the objects
  std::uint64_t last_stop = 0;  // the sync point of the last step, with a period of points
  std::uint64_t left_out = 0;   // sync points since then that would have been steps
  double job_start = 0;
  double last_step = 0;
  double last_at_point = 0;  // the last step at a sync point
  lb::Gain gain;
  std::vector<double> busy_of_pe;
};
PerRuntime<Run> run;

/// Gives all PEs one answer: PE 0's clock decides. None goes on before all have come, as in a step: otherwise
/// an object that goes on might call, and so move, one that still waits where it would be let go.
bool too_soon() {
  if (run->config.period.seconds <= 0) return false;
  const bool soon = seconds() - run->last_at_point < run->config.period.seconds;
  std::array<std::uint64_t, 1> says{net::world.pe == 0 && soon ? 1u : 0u};
  net::sum_polling(says);
  return says[0] > 0;
}

/// How many sync points the present step comes after the last one.
std::uint64_t points_passed() {
  std::uint64_t stop = 0;
  if (is_lazy())
    stop = lazy_pe->member.agreed_stop();
  else if (const std::uint64_t period = run->config.period.points; period > 0)
    stop = (run->last_stop / period + 1) * period + std::exchange(run->left_out, 0);
  else  // In a period of seconds every sync point gathers.
    return run->config.period.seconds > 0 ? run->points
                                          : points_in_interval() + std::exchange(run->left_out, 0);
  return stop == lb::lazy::kNever ? 0 : stop - std::exchange(run->last_stop, stop);
}

/// With what this PE measured of it. Collective.
Interval close_interval(IntervalShare mine, StepAt at = StepAt::sync_point) {
  const double now = seconds();
  if (computes(net::world.pe)) mine.set_waiting(objects().meeting_seconds());
  if (net::world.pe == 0) mine.set_time(now - run->job_start, now - run->last_step);
  const std::uint64_t passed = at == StepAt::between ? 1 : points_passed();
  if (at == StepAt::sync_point) run->points = 0;
  const Interval interval = sum_over_pes(std::move(mine), run->steps, passed);
  run->gain.add(interval.took_s, interval.unbalanced_s);
  return interval;
}

/// Sums over the PEs, so that every record tells of the whole job.
void sum_totals(MoveTotals& totals) {
  std::array<std::uint64_t, 4> sums{totals.objects, totals.bytes_handed_over, totals.bytes_copied,
                                    totals.bytes_followed};
  net::sum_polling(sums);
  totals = {sums[0], sums[1], sums[2], sums[3]};
}

/// For the report and the recording: where objects are, if anybody wants to know what moves.
std::vector<int> places_now() {
  const std::vector<int>* const places = objects().places();
  return (report_wanted() || trace::recording) && places ? *places : std::vector<int>();
}

std::vector<Relocation> relocated_since(const std::vector<int>& before) {
  const std::vector<int> now = places_now();
  std::vector<Relocation> list;
  for (std::size_t i = 0; i < std::min(before.size(), now.size()); ++i)
    if (before[i] != now[i]) list.push_back({i, before[i], now[i]});
  return list;
}

using RecordedMoves = std::vector<std::pair<trace::ObjectIndex, trace::PeIndex>>;

/// Gathers on PE 0 the moves that only the PE knows to which the objects came. Collective.
RecordedMoves gather_arrivals() {
  const std::vector<trace::ObjectIndex> mine = objects().take_arrivals();
  RecordedMoves moves;
  net::gather_blocks(std::as_bytes(std::span(mine)), 0)
      .for_each([&](std::size_t pe, std::span<const std::byte> block) {
        std::vector<trace::ObjectIndex> arrived(block.size() / sizeof(trace::ObjectIndex));
        std::memcpy(arrived.data(), block.data(), block.size());
        for (const trace::ObjectIndex object : arrived)
          moves.emplace_back(object, static_cast<trace::PeIndex>(pe));
      });
  return moves;
}

/// Collective.
void record_step(const StepRecord& step, double at_s, double took_s) {
  trace::RecordedStep recorded{.time_ns = static_cast<std::uint64_t>(at_s * 1e9),
                               .took_ns = static_cast<std::uint64_t>(took_s * 1e9),
                               .strategy = step.plan.step.strategy,
                               .moves = {}};
  if (!objects().places()) recorded.moves = gather_arrivals();
  for (const Relocation& moved : step.relocations)
    recorded.moves.emplace_back(static_cast<trace::ObjectIndex>(moved.object),
                                static_cast<trace::PeIndex>(moved.to));
  trace::note_step(recorded);
}

/// The end of a step. Collective.
void change_mode(const StepRecord& record, bool leaves) {
  if (is_lazy()) {
    note_applied();
    if (record.plan.late->ends_lazy) go_on_inline(run->last_stop);
  } else if (leaves) {
    go_on_lazily(run->last_stop);
  } else if (run->config.learns_mode) {
    learn_from_step(record, seconds() - run->last_step);
  }
}

}  // namespace

void start_lb_steps(StepConfig new_config) {
  run->config = std::move(new_config);
  set_period(run->config.period);
  start_pe_speeds(run->config.pe_speeds, run->config.balances());
  allow_witness();
  start_planning(run->config);
  run->job_start = run->last_step = run->last_at_point = seconds();
  if (!run->config.report_file.empty() && net::world.pe == 0) open_report(run->config.report_file);
  if (!run->config.dump_file.empty() && net::world.pe == deciding_pe()) open_dump(run->config.dump_file);
}

void lb_step(StepAt at) {
  if (at == StepAt::sync_point) {
    ++run->points;
    if (too_soon()) return;
  }
  net::correct_job_clock();
  const double start = seconds();
  measure_own_speed();
  exchange_speeds();
  const Interval interval = close_interval(objects().end_interval(), at);
  report_job(run->config, objects().places());
  const std::vector<int> before = places_now();
  const bool leaves = leave_last_pe();
  Plan plan = make_plan(interval);
  plan.step.moves |= leaves;
  const double decided = seconds();
  MoveTotals totals = plan.carry_out();
  const double moved = seconds();
  totals.bytes_followed = objects().follow();
  const double followed = seconds();
  sum_totals(totals);
  ++run->steps;

  const std::vector<Relocation> relocations = relocated_since(before);
  const StepRecord record{.interval = interval,
                          .plan = plan,
                          .moved = totals,
                          .relocations = relocations,
                          .meet_s = objects().meeting_seconds(),
                          .decide_s = decided - plan.decide_start,
                          .move_s = followed - decided};
  if (net::world.pe == 0) {
    sum_up_step(record);
    note_step(record);
    report_step(record);
    SKEIN_LOG(
        verbose,
        "LB step %llu: imbalance %.1f %% -> %.1f %%, %llu %s moved, decided in %.3f ms, moved in %.3f ms",
        static_cast<unsigned long long>(run->steps), plan.step.before.imbalance_percent(),
        plan.step.after.imbalance_percent(), static_cast<unsigned long long>(totals.objects),
        objects().noun(), record.decide_s * 1e3, record.move_s * 1e3);
  }
  if (trace::recording) record_step(record, start - run->job_start, followed - start);
  learn_from(plan, interval, decided - start, moved - decided, at == StepAt::sync_point);
  change_mode(record, leaves);
  run->last_step = seconds();
  if (at == StepAt::sync_point) run->last_at_point = run->last_step;
}

void leave_step_out() {
  ++run->points;
  run->left_out += points_in_interval();
  if (run->config.period.automatic) set_next_step(points_in_interval());
}

void measure_whole_run(AfterJob after) {
  end_lazy(after);
  if (run->config.has_steps()) {
    const Interval last = close_interval(objects().end_last_interval());
    report_job(run->config, objects().places());
    report_end(last, run->gain);
  }
  run->busy_of_pe.resize(static_cast<std::size_t>(net::world.pes));
  const double mine = objects().busy_seconds();
  net::all_gather(&mine, sizeof mine, run->busy_of_pe.data());
  run->busy_of_pe.resize(static_cast<std::size_t>(measured_pes()));
}

bool close_lb_steps() {
  end_progress();
  const bool dump_complete = close_dump();
  const bool report_complete = close_report();
  if (net::world.pe == 0) print_summary(run->config, run->gain, seconds() - run->job_start);
  return dump_complete && report_complete;
}

std::span<const double> whole_run_busy() { return run->busy_of_pe; }

}  // namespace skein::balance
